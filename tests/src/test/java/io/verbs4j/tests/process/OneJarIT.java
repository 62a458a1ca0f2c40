// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.JavaProcess;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.Repository;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// One jar and a device node are enough, and the programs that the README shows work as they stand there.
@DeviceTest
@RealKernel("processes that share devices")
class OneJarIT {
    private static final Pattern JAVA_BLOCK = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);
    /// Holds what the README calls its programs.
    private static final List<String> NAMES = List.of("Server", "Client", "Exchange");
    private static final String JAR = Repository.file("bundle/target") + "/*";
    private static final Duration LIMIT = Duration.ofSeconds(90);

    private static final int ATTEMPTS = 5;

    @TempDir private Path folder;

    @Test
    void isAllThatTheProgramsOfTheReadmeNeed() throws Exception {
        List<String> programs = programsOfTheReadme();
        compile(programs);
        twoProgramsThatConnectByAddress();
        theProgramWithoutConnectionManagerAsBothEnds();
    }

    private void twoProgramsThatConnectByAddress() throws Exception {
        try (var server = ExternalProcess.of(program("Server")).start()) {
            List<String> client = program("Client");
            ExternalProcess.Result result = ExternalProcess.of(client).run(LIMIT);
            for (int i = 0; i < ATTEMPTS && result.output().contains("nobody listens"); i++) {
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

    /// Compiles the programs, all at once: in an emulated guest the compiler takes longer to start than to compile.
    private void compile(List<String> programs) throws IOException {
        var command = new ArrayList<>(JavaProcess.compiler(folder, JAR));
        for (int i = 0; i < NAMES.size(); i++) {
            command.add(Files.writeString(folder.resolve(NAMES.get(i) + ".java"), programs.get(i)).toString());
        }
        ExternalProcess.of(command).run(LIMIT).requireSuccess();
    }

    private List<String> program(String name, String... arguments) {
        var command = new ArrayList<>(JavaProcess.command(name, folder + File.pathSeparator + JAR));
        command.addAll(List.of(arguments));
        return command;
    }

    private static List<String> programsOfTheReadme() throws IOException {
        List<String> programs = JAVA_BLOCK.matcher(Files.readString(Repository.file("README.md")))
                .results()
                .map(block -> block.group(1))
                .toList();
        assertThat(programs).as("programs in README.md").hasSameSizeAs(NAMES);
        return programs;
    }
}
