// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class PerfReportTest {
    private final StringWriter out = new StringWriter();

    private PerfReport report(PerfReport.Format format) {
        return new PerfReport(new PrintWriter(out), format, false);
    }

    @Test
    void rowsHaveTheColumnsOfC() {
        report(PerfReport.Format.TABLE).result(new LatencyResult(64, 1000, 1, 9, 2, 2.5, 0.5, 8, 8.5));
        report(PerfReport.Format.TABLE).result(new BandwidthResult(65536, 5000, 100, 90.5, 0.001448));
        assertThat(out.toString().lines().map(line -> line.replaceAll(" +", " ")))
                .containsExactly(" 64 1000 1.00 9.00 2.00 2.50 0.50 8.00 8.50", " 65536 5000 100.00 90.50 0.001448");
    }

    @Test
    void csvHasCommas() {
        report(PerfReport.Format.CSV).result(new BandwidthResult(65536, 5000, 100, 90.5, 0.001448));
        assertThat(out.toString()).isEqualTo("65536,5000,100.000,90.500,MB/sec,0.001448\n");
    }

    @Test
    void ofARoundTripHalfIsReported() {
        var histogram = new Histogram(3);
        for (int i = 1; i <= 1000; i++) {
            histogram.recordValue(i * 1000L);
        }
        LatencyResult oneWay = LatencyResult.of(2, 1000, histogram, 2);
        assertThat(oneWay.minimum()).isCloseTo(0.5, within(0.01));
        assertThat(oneWay.typical()).isCloseTo(250, within(1.0));
        assertThat(oneWay.percentile99()).isCloseTo(495, within(1.0));
        assertThat(oneWay.maximum()).isCloseTo(500, within(1.0));
        assertThat(LatencyResult.of(2, 1000, histogram, 1).typical()).isCloseTo(500, within(1.0));
    }
}
