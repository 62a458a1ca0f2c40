// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NoLinuxCallTest {
    private static final String PROGRAM = """
        import io.verbs4j.*;
        import io.verbs4j.types.*;

        void main() throws Exception {
            try (var context = Devices.open("rxe1")) {
                var domain = context.allocateProtectionDomain();
                var channel = context.createCompletionChannel();
                var queue = context.createCompletionQueue(CompletionQueueOptions.entries(16).withChannel(channel));
                var memory = domain.allocate(4096, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
                var here = domain.reliableConnection(queue).prepare();
                var there = domain.reliableConnection(queue).prepare();
                var sender = here.connect(there.endpoint());
                there.connect(here.endpoint());
                queue.requestNotification(false);
                memory.segment().setString(0, "over no wire");
                try (var batch = sender.beginSend()) {
                    batch.signaled().rdmaWrite(memory.slice(0, 64), memory.remote().slice(1024, 64));
                    batch.submit();
                }
                channel.take(java.time.Duration.ofSeconds(10));
                System.out.println(queue.poll(1, completion -> {}) + " " + memory.segment().getString(1024)
                        + " " + context.pkeys(1) + " " + context.hardwareCounters(1).value("sent_pkts").getAsLong()
                        + " " + Devices.list() + " " + Devices.copiesMemoryOnFork());
            }
        }
        """;

    /// Only what calls the operating system has a linker, and each of its methods is a downcall.
    @Test
    void noClassThatCallsTheOperatingSystemIsLoaded(@TempDir Path folder) throws IOException, InterruptedException {
        Path source = folder.resolve("Program.java");
        Files.writeString(source, PROGRAM);
        Path output = folder.resolve("output");
        String path = System.getProperty("java.class.path") + java.io.File.pathSeparator
                + System.getProperty("jdk.module.path", "");
        Process process = new ProcessBuilder(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Dverbs4j.simulate=2:6.12",
                "-Xlog:class+load",
                "-cp",
                path,
                source.toString()))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(process.waitFor()).as(Files.readString(output, StandardCharsets.UTF_8)).isZero();
        String text = Files.readString(output, StandardCharsets.UTF_8);
        assertThat(text).contains("1 over no wire [65535] 2 [rxe0, rxe1] true");
        assertThat(text.lines()
                .filter(line -> line.contains("io.verbs4j.abi.os.")
                        || line.contains("jdk.internal.foreign.abi.Downcall"))
                .map(line -> line.replaceFirst(".*\\] ", "").replaceFirst(" source:.*", "")))
                .containsOnly("io.verbs4j.abi.os.Platform", "io.verbs4j.abi.os.RawMemory");
    }
}
