// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.JavaProcess;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.Repository;
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
    /// The compiler is interpreted at first, in an emulated guest.
    private static final Duration LIMIT = Duration.ofSeconds(90);

    private static final int ATTEMPTS = 5;

    @TempDir private Path folder;

    @Test
    void runsTheTwoProgramsOfTheReadme() throws Exception {
        List<String> programs = programsOfTheReadme();
        try (var server = start("Server.java", programs.get(0))) {
            List<String> client = source("Client.java", programs.get(1));
            ExternalProcess.Result result = ExternalProcess.of(client).run(LIMIT);
            for (int i = 0; i < ATTEMPTS && result.output().contains("nobody listens"); i++) {
                result = ExternalProcess.of(client).run(LIMIT); // the server was still being compiled
            }
            assertThat(result.requireSuccess().output().lines())
                    .containsExactly("I have written to your memory", "Hello, RDMA");
            assertThat(server.await(LIMIT).requireSuccess().output()).isEmpty();
        }
    }

    @Test
    void runsTheProgramWithoutConnectionManagerAsBothEnds() throws Exception {
        String program = programsOfTheReadme().get(2);
        try (var waits = start("Exchange.java", program)) {
            ExternalProcess.Result result = ExternalProcess.of(source("Exchange.java", program, "10.9.0.2"))
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

    private ExternalProcess.Running start(String name, String program) throws IOException {
        return ExternalProcess.of(source(name, program)).start();
    }

    private List<String> source(String name, String program, String... arguments) throws IOException {
        Path source = Files.writeString(folder.resolve(name), program);
        var command = new ArrayList<>(JavaProcess.ofSource(source, Repository.file("bundle/target") + "/*"));
        command.addAll(List.of(arguments));
        return command;
    }

    private static List<String> programsOfTheReadme() throws IOException {
        List<String> programs = JAVA_BLOCK.matcher(Files.readString(Repository.file("README.md")))
                .results()
                .map(block -> block.group(1))
                .toList();
        assertThat(programs).as("programs in README.md").hasSize(3);
        return programs;
    }
}
