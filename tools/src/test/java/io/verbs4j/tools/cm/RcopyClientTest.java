// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.tools.common.ToolException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests the refusal of sources that cannot be copied.
@Timeout(30)
class RcopyClientTest {
    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();

    private RcopyClient client(InputStream answers) {
        return new RcopyClient(answers, sent, new PrintWriter(Writer.nullWriter()));
    }

    /// The refusal precedes the first message, after which the server truncates its file.
    @ParameterizedTest
    @ValueSource(strings = {"/tmp", "/dev/zero"})
    void sourcesWithoutASizeAreNotCopied(Path source) {
        assertThatThrownBy(() -> client(InputStream.nullInputStream()).copy(source, "/tmp/copy"))
                .isInstanceOf(ToolException.class)
                .hasMessage(source + " is not a regular file");
        assertThat(sent.size()).isZero();
    }

    /// The size of a file in /proc is always 0, so the file seems to grow. The messages are a path of 16 bytes and a
    /// size, each with a header.
    @Test
    void noMoreThanTheAnnouncedSizeIsSent() {
        byte[] opened = new RcopyMessage(RcopyMessage.OPEN | RcopyMessage.RESPONSE, 0, 0, ByteBuffer.allocate(0))
                .encode();
        Path source = Path.of("/proc/self/status");
        assertThatThrownBy(() -> client(new ByteArrayInputStream(opened)).copy(source, "/tmp/copy"))
                .isInstanceOf(ToolException.class)
                .hasMessage(source + " changed its size during the copy");
        assertThat(sent.size()).isEqualTo(16 + 16 + 16 + Long.BYTES);
    }
}
