// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.common;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.failure.GeneralCauses;
import io.verbs4j.types.Errno;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

class IoFailureTest {
    @Test
    void reasonsAreWordsWithoutThePath() {
        assertThat(IoFailure.reason(new NoSuchFileException("/a"))).isEqualTo("there is no such file or folder");
        assertThat(IoFailure.reason(new AccessDeniedException("/a"))).isEqualTo("permission denied");
        assertThat(IoFailure.reason(new FileSystemException("/a", null, "Is a directory"))).isEqualTo("Is a directory");
        assertThat(IoFailure.reason(new FileSystemException("/a"))).isEqualTo("/a");
        assertThat(IoFailure.reason(new IOException("broken"))).isEqualTo("broken");
        assertThat(IoFailure.reason(new EOFException())).isEqualTo("EOFException");
    }

    @Test
    void limitsOfTheProcessHaveACause() {
        for (int errno : new int[]{Errno.EPERM, Errno.EMFILE}) {
            String words = errno == Errno.EPERM ? "Operation not permitted" : "Too many open files";
            String cause = GeneralCauses.ofFile(errno);
            // Only a thread with a filter of system calls has a cause of EPERM.
            assertThat(cause.isEmpty()).isIn(false, errno == Errno.EPERM);
            String expected = words + (cause.isEmpty() ? "" : ": " + cause);
            assertThat(IoFailure.reason(new IOException(words))).isEqualTo(expected);
            assertThat(IoFailure.reason(new IOException(expected))).isEqualTo(expected);
        }
    }
}
