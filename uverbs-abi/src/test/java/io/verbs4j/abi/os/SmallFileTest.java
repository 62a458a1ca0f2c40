// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.types.Errno;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SmallFileTest {
    @TempDir private Path folder;

    @Test
    void theErrnoOfOpeningIsReported() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "text");
        for (Path path : new Path[]{folder.resolve("none"), file.resolve("none"), folder, file}) {
            int errno = path == folder || path == file ? 0
                    : path.startsWith(file) ? -Errno.ENOTDIR : -Errno.ENOENT;
            assertThat(SmallFile.tryOpening(path)).as("%s", path).isEqualTo(errno);
            assertThat(SmallFile.read(path)).isEqualTo(new SmallFile(errno, path == file ? "text" : ""));
        }
    }

    /// A file that cannot be read, like a folder, has no text. A long one is truncated.
    @Test
    void atMostOnePageIsRead() throws IOException {
        assertThat(SmallFile.read(folder).text()).isEmpty();
        Path file = Files.writeString(folder.resolve("file"), "ä".repeat(2048) + "b");
        assertThat(SmallFile.read(file).text()).isEqualTo("ä".repeat(2048));
    }

    @Test
    void descriptorsAreClosed() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        int before = descriptors();
        for (int i = 0; i < 50; i++) {
            SmallFile.read(file);
            SmallFile.tryOpening(file);
        }
        assertThat(descriptors() - before).isLessThan(50);
    }

    private static int descriptors() {
        return Path.of("/proc/self/fd").toFile().list().length;
    }
}
