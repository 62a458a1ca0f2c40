// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm.rsocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.cm.CmPrograms;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.ToolRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `rcopy` in Java and in C, each at either end.
@DeviceTest
class RcopyIT {
    private static final String SERVER = "10.9.0.2";
    private static final String RATE = " bytes in [0-9.]+ seconds = [0-9.]+ Gb/sec\n";

    @TempDir private Path folder;

    private Path source(int bytes) throws Exception {
        var content = new byte[bytes];
        new Random(bytes).nextBytes(content);
        return Files.write(folder.resolve("source"), content);
    }

    @ParameterizedTest(name = "{1} bytes to a server in {0}")
    @CsvSource({"Java, 1000000", "Java, 0", "C, 1000000"})
    void copiesFromJava(String server, int bytes) throws Exception {
        Path source = source(bytes);
        Path target = folder.resolve("target");
        String[] client = {"rcopy", source.toString(), SERVER + ":" + target};
        if (server.equals("Java")) {
            var running = CmPrograms.javaServer("rcopy", "--once");
            CmPrograms.awaitListener("7427");
            assertThat(CmPrograms.javaClient(client).output()).matches(bytes + RATE);
            assertThat(CmPrograms.output(running))
                    .isEqualTo("client: 10.9.0.2\nopening: " + target + "\ntransferring " + bytes + " bytes\nclosed "
                            + target + "\n");
        } else {
            try (var running = CmPrograms.cServer("rcopy")) {
                CmPrograms.awaitListener("7427");
                assertThat(CmPrograms.javaClient(client).output()).matches(bytes + RATE);
                running.signal("KILL");
            }
        }
        assertThat(target).hasSameBinaryContentAs(source);
    }

    @Test
    void copiesFromC() throws Exception {
        Path source = source(1_000_000);
        Path target = folder.resolve("target");
        var running = CmPrograms.javaServer("rcopy", "--once");
        CmPrograms.awaitListener("7427");
        assertThat(CmPrograms.cClient("rcopy", source.toString(), SERVER + ":" + target)).endsWith("Gb/sec\n");
        CmPrograms.output(running);
        assertThat(target).hasSameBinaryContentAs(source);
    }

    @Test
    void aServerThatCannotOpenTheFileSaysWhy() throws Exception {
        Path source = source(10);
        var running = CmPrograms.javaServer("rcopy", "--once");
        CmPrograms.awaitListener("7427");
        ToolRun run = ToolRun.of("rcopy", source.toString(), SERVER + ":" + folder.resolve("none/target"));
        assertThat(run.exitCode()).isOne();
        assertThat(run.error()).contains("the server cannot open").contains("ENOENT");
        assertThat(CmPrograms.output(running)).contains("cannot open " + folder.resolve("none/target") + ": ENOENT");
    }
}
