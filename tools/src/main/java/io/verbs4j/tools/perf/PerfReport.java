// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

import io.verbs4j.tools.common.Json;
import io.verbs4j.types.Mtu;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Prints results as tables like perftest, as JSON, or as CSV.
final class PerfReport {
    /// The format of the output.
    enum Format {
        /// Tables.
        TABLE,
        /// One JSON object at the end.
        JSON,
        /// Comma-separated values, with the names of the columns in the first line.
        CSV
    }

    private static final String LINE = "-".repeat(87);

    private final PrintWriter out;
    private final Format format;
    private final String unit;
    private final List<Record> results = new ArrayList<>();

    /// @param gigabits whether bandwidth is reported in Gb/s
    PerfReport(PrintWriter out, Format format, boolean gigabits) {
        this.out = out;
        this.format = format;
        this.unit = gigabits ? "Gb/sec" : "MB/sec";
    }

    void waiting() {
        if (format == Format.TABLE) {
            String stars = "*".repeat(36);
            print("\n" + stars + "\n* Waiting for client to connect... *\n" + stars);
        }
    }

    void head(PerfPlan plan, String device, int gidIndex, Mtu mtu, int outstandingReads) {
        if (format != Format.TABLE) {
            return;
        }
        print(LINE);
        print("                    " + plan.test().operation().title() + " "
                + (plan.bidirectional() ? "Bidirectional " : "") + (plan.list() > 1 ? "Post List " : "")
                + (plan.test().isLatency() ? "Latency" : "BW") + " Test");
        fact("Device", device);
        fact("Number of qps", plan.queuePairs());
        fact("Connection type", plan.connection());
        if (plan.isActive()) {
            fact("TX depth", plan.sendDepth());
        }
        if (plan.list() > 1) {
            fact("Post List", plan.list());
        }
        if (plan.isReceiving()) {
            fact("RX depth", plan.receiveDepth());
        }
        if (!plan.test().isLatency()) {
            fact("CQ Moderation", plan.moderation());
        }
        fact("Mtu", mtu.bytes() + "[B]");
        fact("GID index", gidIndex);
        if (plan.test().operation().isFetching()) {
            fact("Outstand reads", outstandingReads);
        } else {
            fact("Max inline data", plan.inline() + "[B]");
        }
        print(LINE);
    }

    private void fact(String name, Object value) {
        print(String.format(" %-15s : %s", name, value));
    }

    void address(String side, PerfAddress address, Operation operation) {
        if (format != Format.TABLE) {
            return;
        }
        var line = new StringBuilder(String.format(
                " %s address: LID %04x QPN %#06x PSN %#06x",
                side,
                address.lid(),
                address.queuePairNumber(),
                address.packetSequenceNumber()));
        if (operation == Operation.READ) {
            line.append(String.format(" OUT %#04x", address.outstandingReads()));
        }
        if (operation == Operation.READ || operation == Operation.WRITE) {
            line.append(String.format(" RKey %#08x VAddr %#016x", address.remoteKey(), address.memory()));
        }
        print(line.toString());
        print(" GID: " + address.gid());
    }

    /// Prints the heads of the columns.
    ///
    /// @param average whether results have an average without stamps
    void columns(PerfPlan plan, boolean average) {
        switch (format) {
            case TABLE -> {
                print(LINE);
                print(
                        plan.test().isLatency()
                                ? " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]"
                                        + "    t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec]"
                                : " #bytes     #iterations    BW peak[" + unit + "]    BW average[" + unit
                                        + "]   MsgRate[Mpps]");
            }
            case CSV ->
                print(
                        plan.test().isLatency()
                                ? "bytes,iterations,t_min_usec,t_max_usec,t_typical_usec,t_avg_usec,t_stdev_usec,"
                                        + "t_99_usec,t_99.9_usec" + (average ? ",t_avg_unstamped_usec" : "")
                                : "bytes,iterations,bw_peak,bw_average,unit,msg_rate_mpps");
            case JSON -> {
                // Everything is printed at the end.
            }
        }
    }

    void result(LatencyResult result) {
        results.add(result);
        String pattern = format == Format.CSV
                ? "%d,%d,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f"
                : " %-7d %-14d %-14.2f %-12.2f %-18.2f %-14.2f %-15.2f %-22.2f %.2f";
        row(String.format(
                Locale.ROOT,
                pattern,
                result.size(),
                result.messages(),
                result.minimum(),
                result.maximum(),
                result.typical(),
                result.average(),
                result.deviation(),
                result.percentile99(),
                result.percentile999())
                + unstampedColumn(result.unstampedAverage()));
        if (format == Format.TABLE && result.unstampedAverage() != null) {
            print(String.format(
                    Locale.ROOT,
                    " t_avg of %d more messages of %d bytes without a clock read each: %.2f usec",
                    result.messages(),
                    result.size(),
                    result.unstampedAverage()));
        }
    }

    private String unstampedColumn(@Nullable Double average) {
        return format != Format.CSV || average == null ? "" : String.format(Locale.ROOT, ",%.3f", average);
    }

    void result(BandwidthResult result) {
        results.add(result);
        String pattern = format == Format.CSV
                ? "%d,%d,%.3f,%.3f,%s,%.6f"
                : " %-10d %-14d %-18.2f %-19.2f  %6$.6f";
        row(String.format(
                Locale.ROOT,
                pattern,
                result.size(),
                result.messages(),
                result.peak(),
                result.average(),
                unit,
                result.messageRate()));
    }

    private void row(String text) {
        if (format != Format.JSON) {
            print(text);
        }
    }

    void end(PerfPlan plan) {
        if (format == Format.TABLE) {
            print(LINE);
        } else if (format == Format.JSON) {
            Map<String, Object> report = new LinkedHashMap<>();
            report.put("test", plan.test().commandName());
            report.put("side", plan.client() ? "client" : "server");
            report.put("connection", plan.connection());
            report.put("queuePairs", plan.queuePairs());
            report.put("unit", plan.test().isLatency() ? "usec" : unit);
            report.put("results", results);
            print(Json.pretty(report));
        }
    }

    private void print(String line) {
        out.println(line);
        out.flush();
    }
}
