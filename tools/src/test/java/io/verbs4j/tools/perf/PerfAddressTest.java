// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.tools.common.ToolException;
import io.verbs4j.types.Gid;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class PerfAddressTest {
    /// By `KEY_PRINT_FMT_GID` of perftest.
    private static final String MESSAGE = "0000:0080:000011:c3c5a4:00000af1:00007f1234567000"
            + ":00:00:00:00:00:00:00:00:00:00:ff:ff:0a:09:00:01:00000000:\0";

    private static final PerfAddress ADDRESS =
            new PerfAddress(0, 128, 0x11, 0xc3c5a4, 0xaf1, 0x7f1234567000L, new Gid(0, 0xffff_0a09_0001L));

    @Test
    void isWrittenAsCDoes() {
        assertThat(new String(ADDRESS.toMessage(), StandardCharsets.US_ASCII)).isEqualTo(MESSAGE);
        assertThat(ADDRESS.toMessage()).hasSize(PerfAddress.MESSAGE_BYTES);
    }

    @Test
    void isReadAsCDoes() {
        assertThat(PerfAddress.parse(MESSAGE.getBytes(StandardCharsets.US_ASCII))).isEqualTo(ADDRESS);
    }

    @Test
    void somethingElseIsRefused() {
        byte[] web = "HTTP/1.1 400 Bad Request\r\n".getBytes(StandardCharsets.US_ASCII);
        assertThatThrownBy(() -> PerfAddress.parse(web))
                .isInstanceOf(ToolException.class)
                .hasMessageContaining("HTTP/1.1 400 Bad Request..");
    }
}
