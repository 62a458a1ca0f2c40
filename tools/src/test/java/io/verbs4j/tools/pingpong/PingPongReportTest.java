// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.types.CompletionStatus;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class PingPongReportTest {
    @Test
    void linesAreThoseOfC() {
        assertThat(PingPongReport.bandwidth(4096, 1000, 10_000_000))
                .isEqualTo("8192000 bytes in 0.01 seconds = 6553.60 Mbit/sec");
        assertThat(PingPongReport.latency(1000, 10_000_000)).isEqualTo("1000 iters in 0.01 seconds = 10.00 usec/iter");
    }

    @Test
    void largeTotalsDoNotOverflow() {
        assertThat(PingPongReport.bandwidth(1 << 30, 1000, 1_000_000_000))
                .startsWith("2147483648000 bytes in 1.00 seconds = ");
    }

    @Test
    void linesDoNotDependOnTheLanguage() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.GERMANY);
        try {
            assertThat(PingPongReport.latency(3, 10_000)).isEqualTo("3 iters in 0.00 seconds = 3.33 usec/iter");
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void failedCompletionIsNamedAsInC() {
        assertThat(PingPongReport.failure(CompletionStatus.RETRY_EXCEEDED, 2))
                .isEqualTo("Failed status transport retry counter exceeded (12) for wr_id 2");
        assertThat(PingPongReport.failure(CompletionStatus.WORK_REQUEST_FLUSHED, 1))
                .isEqualTo("Failed status Work Request Flushed Error (5) for wr_id 1");
        assertThat(PingPongReport.failure(CompletionStatus.of(99), 1))
                .isEqualTo("Failed status unknown (99) for wr_id 1");
        assertThat(new FailedCompletion(CompletionStatus.RETRY_EXCEEDED, 2).likelyCause())
                .contains("the peer is gone");
    }
}
