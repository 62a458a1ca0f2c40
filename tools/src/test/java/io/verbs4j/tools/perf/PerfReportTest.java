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
        report(PerfReport.Format.TABLE).result(new LatencyResult(64, 1000, 1, 9, 2, 2.5, 0.5, 8, 8.5, null));
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
    void anAverageWithoutStampsHasALineOrAColumnOfItsOwn() {
        var result = new LatencyResult(64, 1000, 1, 9, 2, 2.5, 0.5, 8, 8.5, 1.25);
        report(PerfReport.Format.TABLE).result(result);
        report(PerfReport.Format.CSV).result(result);
        assertThat(out.toString().lines())
                .satisfiesExactly(
                        row -> assertThat(row).startsWith(" 64 ").endsWith(" 8.50"),
                        row -> assertThat(row)
                                .isEqualTo(
                                        " t_avg of 1000 more messages of 64 bytes without a clock read each: 1.25 usec"),
                        row -> assertThat(row).isEqualTo("64,1000,1.000,9.000,2.000,2.500,0.500,8.000,8.500,1.250"));
    }

    @Test
    void ofARoundTripHalfIsReported() {
        var histogram = new Histogram(3);
        for (int i = 1; i <= 1000; i++) {
            histogram.recordValue(i * 1000L);
        }
        LatencyResult oneWay = LatencyResult.of(2, 1000, histogram, Double.NaN, 2);
        assertThat(oneWay.minimum()).isCloseTo(0.5, within(0.01));
        assertThat(oneWay.typical()).isCloseTo(250, within(1.0));
        assertThat(oneWay.percentile99()).isCloseTo(495, within(1.0));
        assertThat(oneWay.maximum()).isCloseTo(500, within(1.0));
        assertThat(LatencyResult.of(2, 1000, histogram, Double.NaN, 1).typical()).isCloseTo(500, within(1.0));
    }
}
