// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.bench;

import io.verbs4j.bench.BenchReport.Line;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Pictures of a comparison, as SVG that needs nothing else.
final class BenchPlots {
    private static final String C = "#1f77b4";
    private static final String JAVA = "#d95f02";
    private static final String HEAD =
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">%n"
                    + "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>%n";
    private static final int ROW = 18;
    private static final int LEFT = 190;
    private static final int WIDTH = 780;

    private BenchPlots() {}

    /// One row a case: the ratio of the medians as a dot, and the middle half of the rounds as a line.
    static String ratios(List<Line> all) {
        List<Line> lines = all.stream().filter(line -> Double.isFinite(line.ratio())).toList();
        double high = Math.max(1.2, lines.stream().mapToDouble(Line::high).max().orElse(1));
        double low = Math.min(0.8, lines.stream().mapToDouble(Line::low).min().orElse(1));
        int height = 50 + ROW * lines.size();
        double scale = (WIDTH - LEFT - 60) / (high - low);
        var svg = new StringBuilder(String.format(HEAD, WIDTH, height));
        text(svg, LEFT, 14, "start",
                "Java / C: left of the line Java is faster; dot: ratio of medians, bar: half of all rounds");
        for (double at = Math.ceil(low * 10) / 10; at <= high; at += high - low > 1 ? 0.2 : 0.1) {
            double x = LEFT + (at - low) * scale;
            svg.append(String.format(Locale.ROOT,
                    "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"24\" y2=\"%d\" stroke=\"%s\" stroke-width=\"%s\"/>%n", x, x,
                    height - 22,
                    Math.abs(at - 1) < 0.01 ? "#000" : "#ddd", Math.abs(at - 1) < 0.01 ? "1.5" : "1"));
            text(svg, x, height - 8, "middle", String.format(Locale.ROOT, "%.1f", at));
        }
        int y = 24;
        for (Line line : lines) {
            y += ROW;
            text(svg, LEFT - 10, y, "end", line.what().name());
            svg.append(String.format(Locale.ROOT,
                    "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\" stroke=\"%s\" stroke-width=\"5\" stroke-opacity=\".35\"/>%n",
                    LEFT + (line.low() - low) * scale, LEFT + (line.high() - low) * scale, y - 4, y - 4, JAVA));
            svg.append(String.format(Locale.ROOT, "<circle cx=\"%.1f\" cy=\"%d\" r=\"4\" fill=\"%s\"/>%n",
                    LEFT + (line.ratio() - low) * scale, y - 4, JAVA));
            text(svg, WIDTH - 6, y, "end", String.format(Locale.ROOT, "%.2f", line.ratio()));
        }
        return svg.append("</svg>\n").toString();
    }

    /// One picture for each test that ran with several sizes: the figure over the size, both axes logarithmic.
    static String sizes(List<Line> lines) {
        Map<String, List<Line>> tests = new LinkedHashMap<>();
        for (Line line : lines) {
            boolean plain = line.what().group().equals("latency") || line.what().group().equals("bandwidth");
            if (plain && Double.isFinite(line.ratio())) {
                tests.computeIfAbsent(line.what().name().split(" ")[0], name -> new ArrayList<>()).add(line);
            }
        }
        var all = new StringBuilder();
        tests.values().stream().filter(test -> test.size() > 1).forEach(test -> all.append(curve(test)));
        return all.toString();
    }

    private static String curve(List<Line> test) {
        int width = 520;
        int height = 260;
        boolean latency = test.getFirst().what().group().equals("latency");
        double low = Double.MAX_VALUE;
        double high = 0;
        for (Line line : test) {
            low = Math.min(low, Math.min(value(line, line.c()), value(line, line.java())));
            high = Math.max(high, Math.max(value(line, line.c()), value(line, line.java())));
        }
        double bottom = Math.floor(Math.log10(low));
        double top = Math.max(Math.ceil(Math.log10(high)), bottom + 1);
        double first = Math.log(test.getFirst().what().size());
        double last = Math.log(test.getLast().what().size());
        var svg = new StringBuilder(String.format(HEAD, width, height));
        text(svg, 60, 16, "start", test.getFirst().what().name().split(" ")[0] + (latency ? ", µs" : ", MiB/s"));
        text(svg, width - 110, 16, "start", "● C", C);
        text(svg, width - 70, 16, "start", "● Java", JAVA);
        for (double power = bottom; power <= top; power++) {
            double y = height - 30 - (power - bottom) / (top - bottom) * (height - 60);
            svg.append(
                    String.format(Locale.ROOT, "<line x1=\"60\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>%n",
                            width - 20, y, y));
            text(svg, 54, y + 4, "end", String.format(Locale.ROOT, power < 0 ? "%.2f" : "%.0f", Math.pow(10, power)));
        }
        for (boolean java : new boolean[]{false, true}) {
            var points = new StringBuilder();
            var dots = new StringBuilder();
            for (Line line : test) {
                double x = 70 + (Math.log(line.what().size()) - first) / (last - first) * (width - 110);
                double of = value(line, java ? line.java() : line.c());
                double y = height - 30 - (Math.log10(of) - bottom) / (top - bottom) * (height - 60);
                points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x, y));
                dots.append(String.format(Locale.ROOT, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>%n", x, y,
                        java ? JAVA : C));
                if (!java) {
                    text(svg, x, height - 12, "middle", String.valueOf(line.what().size()));
                }
            }
            svg.append(String.format("<polyline points=\"%s\" fill=\"none\" stroke=\"%s\"/>%n%s", points,
                    java ? JAVA : C, dots));
        }
        return svg.append("</svg>\n").toString();
    }

    /// Bandwidth in MiB/s also where a rate of messages was measured.
    private static double value(Line line, double figure) {
        return line.what().metric() == Case.Metric.RATE ? figure * 1e3 * line.what().size() / (1 << 20) : figure;
    }

    private static void text(StringBuilder svg, double x, double y, String anchor, String text) {
        text(svg, x, y, anchor, text, "#222");
    }

    private static void text(StringBuilder svg, double x, double y, String anchor, String text, String colour) {
        svg.append(String.format(Locale.ROOT, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\">%s</text>%n",
                x, y, anchor,
                colour, text));
    }
}
