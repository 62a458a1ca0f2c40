// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.tools.common.ToolException;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests the refusal of a source that cannot be copied, before the server truncates its file.
class RcopyClientTest {
    @Test
    void aFolderIsNotCopied(@TempDir Path folder) {
        var sent = new ByteArrayOutputStream();
        var client = new RcopyClient(InputStream.nullInputStream(), sent, new PrintWriter(Writer.nullWriter()));
        assertThatThrownBy(() -> client.copy(folder, "/tmp/copy")).isInstanceOf(ToolException.class)
                .hasMessage(folder + " is a directory");
        assertThat(sent.size()).isZero();
    }
}
