// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

/// A drawing of boxes, arrows and text.
public final class Svg {
    private static final String HEAD =
            """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="monospace" font-size="12">
                <rect width="%d" height="%d" fill="#ffffff"/>
                """;

    private final StringBuilder body = new StringBuilder();
    private final int width;
    private final int height;

    public Svg(int width, int height) {
        this.width = width;
        this.height = height;
    }

    public Svg box(int x, int y, int boxWidth, int boxHeight, String fill) {
        body.append("<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\" stroke=\"#444444\"/>\n".formatted(
                x, y, boxWidth, boxHeight, fill));
        return this;
    }

    public Svg text(int x, int y, String words) {
        return text(x, y, words, "#000000", "start");
    }

    public Svg centred(int x, int y, String words) {
        return text(x, y, words, "#000000", "middle");
    }

    public Svg faint(int x, int y, String words) {
        return text(x, y, words, "#666666", "end");
    }

    private Svg text(int x, int y, String words, String colour, String anchor) {
        String escaped = words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
        body.append("<text x=\"%d\" y=\"%d\" fill=\"%s\" text-anchor=\"%s\">%s</text>\n".formatted(
                x, y, colour, anchor, escaped));
        return this;
    }

    /// Draws a small triangle that points up or down.
    public Svg pointer(int x, int y, boolean up, String colour) {
        int tip = up ? y - 8 : y + 8;
        body.append("<path d=\"M%d %d L%d %d L%d %d Z\" fill=\"%s\"/>\n".formatted(x - 5, y, x + 5, y, x, tip, colour));
        return this;
    }

    /// Draws a line.
    public Svg line(int x1, int y1, int x2, int y2) {
        body.append("<path d=\"M%d %d L%d %d\" stroke=\"#444444\" fill=\"none\"/>\n".formatted(x1, y1, x2, y2));
        return this;
    }

    /// Draws a horizontal arrow with text above it.
    public Svg arrow(int from, int to, int y, String words) {
        int back = from < to ? -8 : 8;
        line(from, y, to, y);
        body.append("<path d=\"M%d %d L%d %d L%d %d Z\" fill=\"#444444\"/>\n".formatted(
                to, y, to + back, y - 4, to + back, y + 4));
        return centred((from + to) / 2, y - 6, words);
    }

    @Override
    public String toString() {
        return HEAD.formatted(width, height, width, height, width, height) + body + "</svg>\n";
    }
}
