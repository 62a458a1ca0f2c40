// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.examples.nfs.NfsCat;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.JavaProcess;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The example that reads a file from the kernel's NFS server.
@DeviceTest
@RealKernel("the kernel's NFS server")
@Needs.OneKernel
class NfsServerIT {
    private static final Duration LIMIT = Duration.ofSeconds(100);
    /// More than one READ, and not a multiple of four.
    private static final int BYTES = 100_003;

    @TempDir static Path folder;
    private static NfsServer server;

    @BeforeAll
    static void start() {
        server = NfsServer.start(folder);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static byte[] randomFile(String name) throws IOException {
        byte[] bytes = new byte[BYTES];
        new Random(name.hashCode()).nextBytes(bytes);
        Files.write(folder.resolve(name), bytes);
        return bytes;
    }

    private static byte[] cat(String path) throws Exception {
        var out = new ByteArrayOutputStream();
        NfsCat.copy(new InetSocketAddress(NfsServer.ADDRESS, 20049), path, out);
        return out.toByteArray();
    }

    private static ExternalProcess.Result run(Path output, String... arguments) {
        var command = new ArrayList<>(List.of("sh", "-c", "exec \"$@\" >" + output, "sh"));
        command.addAll(JavaProcess.command(NfsCat.class));
        command.addAll(List.of(arguments));
        return ExternalProcess.of(command).run(LIMIT);
    }

    @Test
    @Needs.LongRun("Java processes of their own")
    void theProgramPrintsAFile(@TempDir Path output) throws Exception {
        byte[] bytes = randomFile("file");
        assertThat(run(output.resolve("file"), NfsServer.ADDRESS, "/file").requireSuccess().output()).isEmpty();
        assertThat(output.resolve("file")).hasBinaryContent(bytes);

        var missing = run(output.resolve("none"), NfsServer.ADDRESS, "/none");
        assertThat(missing.exitCode()).isOne();
        assertThat(missing.output()).isEqualTo("NfsCat: /none: no such file or directory (NFS4ERR_NOENT)\n");
        assertThat(output.resolve("none")).isEmptyFile();
    }

    @Test
    void readsAFileInAFolder() throws Exception {
        Files.createDirectory(folder.resolve("folder"));
        byte[] bytes = randomFile("folder/file");
        assertThat(cat("folder//file")).isEqualTo(bytes);
    }

    @Test
    void readsAnEmptyFile() throws Exception {
        Files.createFile(folder.resolve("empty"));
        assertThat(cat("/empty")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"/, is a directory", "/none, no such file", "/plain/file, not a directory",
            "/secret, permission denied"})
    void explainsAFailure(String path, String reason) throws Exception {
        Files.write(folder.resolve("plain"), new byte[1]);
        Path secret = Files.write(folder.resolve("secret"), new byte[1]);
        Files.setPosixFilePermissions(secret, Set.of());
        assertThatThrownBy(() -> cat(path)).isInstanceOf(IOException.class)
                .hasMessageStartingWith(path + ": ")
                .hasMessageContaining(reason);
    }
}
