// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.cm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/// Compares rstream's tests and table with librdmacm 44 (`size_str`, `cnt_str` and `init_latency_test` in
/// examples/common.c and examples/rstream.c).
class RstreamTableTest {
    @Test
    void theSizesAreThoseOfTheCProgram() {
        assertThat(RstreamTest.sizes(false)).containsExactly(64, 4096, 65536, 1048576);
        assertThat(RstreamTest.sizes(true))
                .startsWith(64, 128, 192, 256, 384, 512, 768, 1024, 1536)
                .endsWith(2097152, 3145728, 4194304, 6291456)
                .hasSize(33)
                .isSorted();
    }

    @Test
    void smallerMessagesAreRepeatedMoreOften() {
        assertThat(List.of(64, 1023, 1024, 65535, 65536, 1048575, 1048576, 6291456))
                .extracting(RstreamTest::latency)
                .containsExactly(
                        new RstreamTest("64_lat", 64, 1, 100_000), new RstreamTest("1023_lat", 1023, 1, 100_000),
                        new RstreamTest("1k_lat", 1024, 1, 10_000), new RstreamTest("63k_lat", 65535, 1, 10_000),
                        new RstreamTest("64k_lat", 65536, 1, 1000), new RstreamTest("1023k_lat", 1048575, 1, 1000),
                        new RstreamTest("1m_lat", 1048576, 1, 100), new RstreamTest("6m_lat", 6291456, 1, 100));
        assertThat(RstreamTest.bandwidth(1536)).isEqualTo(new RstreamTest("1.5k_bw", 1536, 10_000, 1));
    }

    @Test
    void sizesHaveOneDigitBehindThePointBelowTen() {
        assertThat(List.of(0L, 1023L, 1024L, 1536L, 9L * 1024 + 1023, 10L * 1024 + 512, (1L << 20) - 1, 1L << 20,
                3L << 19, (1L << 30) - 1, 1L << 30, 5L << 29, 100L << 30))
                .extracting(RstreamReport::size)
                .containsExactly("0", "1023", "1k", "1.5k", "9.9k", "10k", "1023k", "1m", "1.5m", "1023m", "1g",
                        "2.5g", "100g");
    }

    @Test
    void aLineHasAllFigures() {
        assertThat(RstreamReport.head())
                .isEqualTo("name      bytes   xfers   iters   total       time     Gb/sec    usec/xfer");
        assertThat(RstreamReport.line(new RstreamTest("1k_lat", 1024, 1, 10_000), 2_000_000_000))
                .isEqualTo("1k_lat    1k      1       10k     19m         2.00s      0.08     100.00");
        assertThat(RstreamReport.line(new RstreamTest("custom", 64, 999, 1000), 500_000))
                .isEqualTo("custom    64      999     1k      121m        0.00s   2045.95       0.00");
        assertThat(RstreamReport.line(new RstreamTest("huge", 1, 999_999, 1_000_000), 4_000_000_000_000L))
                .isEqualTo("huge      1       999k    1m      1862g    4000.00s      4.00       0.00");
        assertThat(RstreamReport.line(new RstreamTest("more", 1, 999_999_999, 1_000_000_000), 1_000))
                .contains("  999m    1b  ");
    }
}
