// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.discovery.KernelResource;
import io.verbs4j.abi.discovery.ResourceKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnerTest {
    @TempDir private Path proc;

    private Owner owner(OptionalInt thread, @Nullable String kernelUser) {
        return Owner.of(
                new KernelResource(
                        ResourceKind.QUEUE_PAIR,
                        OptionalLong.of(17),
                        thread,
                        Optional.ofNullable(kernelUser),
                        List.of(),
                        List.of()),
                proc);
    }

    @Test
    void aThreadStandsForItsProcess() throws IOException {
        Files.createDirectories(proc.resolve("101"));
        Files.createDirectories(proc.resolve("100"));
        Files.writeString(proc.resolve("101/status"), "Name:\tworker\nTgid:\t100\n");
        Files.writeString(proc.resolve("100/comm"), "java\n");

        assertThat(owner(OptionalInt.of(101), null)).hasToString("java (pid 100)");
    }

    /// The kernel keeps 15 bytes of a name, and may cut a character.
    @Test
    void namesMayHaveAnyBytes() throws IOException {
        Files.createDirectories(proc.resolve("101"));
        Files.createDirectories(proc.resolve("100"));
        Files.write(proc.resolve("101/status"), "Name:\tw\u00c3\nTgid:\t100\n".getBytes(StandardCharsets.ISO_8859_1));
        Files.write(proc.resolve("100/comm"), "java\u00c3\n".getBytes(StandardCharsets.ISO_8859_1));

        assertThat(owner(OptionalInt.of(101), null)).hasToString("java\ufffd (pid 100)");
    }

    @Test
    void partsOfTheKernelStandInBrackets() {
        assertThat(owner(OptionalInt.empty(), "ib_core")).hasToString("[ib_core]");
    }

    @Test
    void aProcessThatEndedHasNoName() {
        assertThat(owner(OptionalInt.of(7), null)).hasToString("? (pid 7)");
        assertThat(owner(OptionalInt.empty(), null)).hasToString("?");
    }
}
