// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.JavaProcess;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.Repository;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// One jar and a device node are enough, and the programs that the README shows work as they stand there.
@DeviceTest
@RealKernel("processes that share devices")
@Needs.OneKernel
class OneJarIT {
    private static final String JAR = Repository.file("bundle/target") + "/*";
    private static final Duration LIMIT = Duration.ofSeconds(90);

    private static final int ATTEMPTS = 5;

    private Path classes = Path.of("");

    @Test
    @Needs.LongRun("Java compiles the programs of the pages in the guest")
    void isAllThatTheProgramsOfThePagesNeed() throws Exception {
        classes = DocumentedPrograms.classes();
        twoProgramsThatConnectByAddress();
        theProgramWithoutConnectionManagerAsBothEnds();
    }

    private void twoProgramsThatConnectByAddress() throws Exception {
        try (var server = ExternalProcess.of(program("Server")).start()) {
            // Else the first client is often there before the server, and each attempt starts another virtual machine.
            Eventually.until(LIMIT, () -> isOpen(server.pid(), "/rdma_cm"), server::output);
            List<String> client = program("Client");
            ExternalProcess.Result result = ExternalProcess.of(client).run(LIMIT);
            for (int i = 0; i < ATTEMPTS && result.output().contains("has no listener"); i++) {
                result = ExternalProcess.of(client).run(LIMIT); // the server was still starting
            }
            assertThat(result.requireSuccess().output().lines())
                    .containsExactly("I have written to your memory", "Hello, RDMA");
            assertThat(server.await(LIMIT).requireSuccess().output()).isEmpty();
        }
    }

    private void theProgramWithoutConnectionManagerAsBothEnds() throws Exception {
        try (var waits = ExternalProcess.of(program("Exchange")).start()) {
            ExternalProcess.Result result = ExternalProcess.of(program("Exchange", "10.9.0.2"))
                    .run(LIMIT)
                    .requireSuccess();
            assertThat(result.output().lines().map(OneJarIT::withoutNumber))
                    .containsExactly("work request 1 on queue pair N: RDMA_WRITE, 64 bytes", "Hello from rxe1");
            assertThat(waits.await(LIMIT).requireSuccess().output().lines().map(OneJarIT::withoutNumber))
                    .containsExactly("work request 1 on queue pair N: RDMA_WRITE, 64 bytes", "Hello from rxe0");
        }
    }

    private static String withoutNumber(String line) {
        return line.replaceAll("queue pair \\d+", "queue pair N");
    }

    private static boolean isOpen(long pid, String file) {
        try (Stream<Path> links = Files.list(Path.of("/proc", Long.toString(pid), "fd"))) {
            return links.anyMatch(link -> target(link).endsWith(file));
        } catch (IOException | UncheckedIOException e) {
            return true; // it has ended, and its output says why
        }
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException e) {
            return ""; // closed in that time
        }
    }

    private List<String> program(String name, String... arguments) {
        var command = new ArrayList<>(JavaProcess.command(name, classes + File.pathSeparator + JAR));
        command.addAll(List.of(arguments));
        return command;
    }
}
