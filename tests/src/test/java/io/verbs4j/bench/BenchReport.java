// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.bench;

import io.verbs4j.bench.CaseResults.Row;
import io.verbs4j.tools.common.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/// Reports rounds or boots: medians, the ratio of the medians, and the spread of the single ratios. In a ratio above 1,
/// Java is slower.
final class BenchReport {
    /// Figures of a case.
    ///
    /// @param low the lower quartile of the rounds' ratios; for boots the minimum
    /// @param high the upper quartile of the rounds' ratios; for boots the maximum
    record Line(
            Case what,
            int rounds,
            int failuresOfC,
            int failuresOfJava,
            double c,
            double java,
            double ratio,
            double low,
            double high,
            double cProcessor,
            double javaProcessor) {
        double processorRatio() {
            return javaProcessor / cProcessor;
        }
    }

    private final List<CaseResults> results;
    private final List<Line> lines;
    private final String kernel;
    private final Unit unit;

    /// Names the rows, and the spread of their ratios that is reported beside the median.
    private enum Unit {
        ROUNDS("rounds", "half of all rounds", 0.25),
        BOOTS("boots", "all boots", 0);

        private final String plural;
        private final String spread;
        private final double outside;

        Unit(String plural, String spread, double outside) {
            this.plural = plural;
            this.spread = spread;
            this.outside = outside;
        }
    }

    private BenchReport(List<CaseResults> results, String kernel, Unit unit) {
        this.results = results;
        this.kernel = kernel;
        this.unit = unit;
        this.lines = results.stream().filter(each -> !each.rows().isEmpty()).map(this::line).toList();
    }

    /// Reports the rounds of one boot.
    static BenchReport ofRounds(List<CaseResults> results, String kernel) {
        return new BenchReport(results, kernel, Unit.ROUNDS);
    }

    /// Reports boots, of which each row has the medians.
    static BenchReport ofBoots(List<CaseResults> results, String kernel) {
        return new BenchReport(results, kernel, Unit.BOOTS);
    }

    private Line line(CaseResults results) {
        List<Row> pairs = results.pairs();
        double c = median(pairs, Row::c);
        double java = median(pairs, Row::java);
        boolean more = results.what().metric().moreIsBetter;
        ToDoubleFunction<Row> ratio = row -> more ? row.c() / row.java() : row.java() / row.c();
        return new Line(
                results.what(),
                pairs.size(),
                results.failuresOfC(),
                results.failuresOfJava(),
                c,
                java,
                unit == Unit.BOOTS ? median(pairs, ratio) : more ? c / java : java / c,
                quantile(pairs, ratio, unit.outside),
                quantile(pairs, ratio, 1 - unit.outside),
                positive(median(pairs, Row::cProcessor)),
                positive(median(pairs, Row::javaProcessor)));
    }

    /// A difference of two measurements is nothing to report if it is below 0.
    private static double positive(double micros) {
        return micros > 0 ? micros : Double.NaN;
    }

    private static double median(List<Row> rows, ToDoubleFunction<Row> figure) {
        return quantile(rows, figure, 0.5);
    }

    /// Between two neighbours the figure is taken from the line through both.
    static double quantile(List<Row> rows, ToDoubleFunction<Row> figure, double part) {
        double[] sorted = rows.stream().mapToDouble(figure).filter(Double::isFinite).sorted().toArray();
        if (sorted.length == 0) {
            return Double.NaN;
        }
        double place = part * (sorted.length - 1);
        int below = (int) place;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
    }

    /// Writes `rounds.csv` (each round), `summary.json`, `table.txt`, `table.md`, `ratios.svg` and `report.html`.
    void write(Path folder) throws IOException {
        Files.writeString(folder.resolve("rounds.csv"), csv());
        Files.writeString(folder.resolve("summary.json"), Json.pretty(json()) + "\n");
        Files.writeString(folder.resolve("table.txt"), text());
        Files.writeString(folder.resolve("table.md"), markdown());
        Files.writeString(folder.resolve("ratios.svg"), BenchPlots.ratios(lines));
        Files.writeString(folder.resolve("report.html"), html());
    }

    private String csv() {
        var text = new StringBuilder("case,unit,round,c,java,c_cpu_usec,java_cpu_usec\n");
        for (CaseResults each : results) {
            for (Row row : each.rows()) {
                text.append(String.format(Locale.ROOT, "%s,%s,%d,%.4f,%.4f,%.4f,%.4f%n", each.what().name(),
                        each.what().metric().unit, row.round(), row.c(), row.java(), row.cProcessor(),
                        row.javaProcessor()));
            }
        }
        return text.toString();
    }

    private Map<String, Object> json() {
        var all = new ArrayList<Map<String, Object>>();
        for (Line line : lines) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("case", line.what.name());
            one.put("unit", line.what.metric().unit);
            one.put("rounds", line.rounds);
            one.put("failuresOfC", line.failuresOfC);
            one.put("failuresOfJava", line.failuresOfJava);
            one.put("c", number(line.c));
            one.put("java", number(line.java));
            one.put("ratio", number(line.ratio));
            one.put("ratioLowerQuartile", number(line.low));
            one.put("ratioUpperQuartile", number(line.high));
            one.put("cProcessorMicros", number(line.cProcessor));
            one.put("javaProcessorMicros", number(line.javaProcessor));
            all.add(one);
        }
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("kernel", kernel);
        report.put("cases", all);
        return report;
    }

    private static Object number(double value) {
        return Double.isFinite(value) ? (Object) value : "none";
    }

    private String text() {
        var text =
                new StringBuilder(String.format("%-26s %-13s %10s %10s %6s  %-11s %8s %8s %6s%n", "case", "unit", "C",
                        "Java", "ratio", "spread", "CPU C", "CPU Java", "ratio"));
        for (Line line : lines) {
            text.append(String.format(Locale.ROOT,
                    "%-26s %-13s %10.2f %10.2f %6.2f  %4.2f – %4.2f %8s %8s %6s%s%n",
                    line.what.name(), line.what.metric().unit, line.c, line.java, line.ratio, line.low, line.high,
                    shown(line.cProcessor, 1), shown(line.javaProcessor, 1), shown(line.processorRatio(), 2),
                    failures(line)));
        }
        return text
                .append("medians of the " + unit.plural + "; spread: " + unit.spread
                        + "; CPU: µs of user and system time a message,"
                        + " both ends;\nratios above 1 are in Java's disfavour\n")
                .toString();
    }

    private static String shown(double value, int digits) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, "%." + digits + "f", value) : "–";
    }

    private static String failures(Line line) {
        return (line.failuresOfC > 0 ? "  C failed " + line.failuresOfC + "x" : "")
                + (line.failuresOfJava > 0 ? "  Java failed " + line.failuresOfJava + "x" : "");
    }

    private String markdown() {
        var text = new StringBuilder("Linux " + kernel + ", " + lines.stream().mapToInt(Line::rounds).max().orElse(0)
                + " " + unit.plural + ":\n\n| | unit | C | Java | ratio | " + unit.spread
                + " | CPU C, µs | CPU Java, µs | ratio |\n"
                + "| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
        for (Line line : lines) {
            text.append(String.format(Locale.ROOT,
                    "| %s | %s | %.1f | %.1f | %.2f | %.2f to %.2f | %s | %s | %s |%n",
                    line.what.name(), line.what.metric().unit, line.c, line.java, line.ratio, line.low, line.high,
                    shown(line.cProcessor, 1), shown(line.javaProcessor, 1), shown(line.processorRatio(), 2)));
        }
        lines.stream()
                .filter(line -> !failures(line).isEmpty())
                .forEach(line -> text.append('\n')
                        .append(line.what.name())
                        .append(':')
                        .append(failures(line))
                        .append(".\n"));
        return text.toString();
    }

    private String html() {
        var text = new StringBuilder(
                "<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>verbs4j beside C</title>\n"
                        + "<style>body{font:15px/1.4 sans-serif;max-width:70em;margin:2em auto;padding:0 1em}"
                        + "table{border-collapse:collapse}td,th{padding:2px 10px;text-align:right;border-bottom:1px solid #ddd}"
                        + "td:first-child,th:first-child{text-align:left}svg{max-width:100%}</style>\n"
                        + "<h1>verbs4j beside C</h1>\n<p>Linux " + kernel
                        + ". Medians of the " + unit.plural + "; a ratio above 1 is in Java's disfavour."
                        + " CPU is user and system time of both ends for a message.</p>\n");
        text.append(BenchPlots.ratios(lines));
        text.append(BenchPlots.sizes(lines));
        text.append(
                "<table><tr><th>case<th>unit<th>" + unit.plural + "<th>C<th>Java<th>ratio<th>" + unit.spread
                        + "<th>CPU C µs<th>CPU Java µs"
                        + "<th>ratio<th></tr>\n");
        for (Line line : lines) {
            text.append(String.format(Locale.ROOT,
                    "<tr><td>%s<td>%s<td>%d<td>%.2f<td>%.2f<td><b>%.2f</b><td>%.2f to %.2f<td>%s<td>%s<td>%s<td>%s</tr>%n",
                    line.what.name(), line.what.metric().unit, line.rounds, line.c, line.java, line.ratio, line.low,
                    line.high, shown(line.cProcessor, 1), shown(line.javaProcessor, 1),
                    shown(line.processorRatio(), 2), failures(line)));
        }
        return text.append("</table>\n<p>Each of the " + unit.plural + ": <a href=\"rounds.csv\">rounds.csv</a>;"
                + " <a href=\"summary.json\">summary.json</a>.</p>\n</html>\n").toString();
    }
}
