// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.abi;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Text in columns that are as wide as their widest cell.
final class Table {
    private final List<String[]> rows = new ArrayList<>();

    /// @param headings one for each column
    Table(String... headings) {
        rows.add(headings);
        rows.add(Arrays.stream(headings).map(text -> "-".repeat(text.length())).toArray(String[]::new));
    }

    void row(Object... cells) {
        rows.add(Arrays.stream(cells).map(String::valueOf).toArray(String[]::new));
    }

    void print(PrintWriter out) {
        int columns = rows.getFirst().length;
        var widths = new int[columns];
        for (String[] row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row[i].length());
            }
        }
        for (String[] row : rows) {
            var line = new StringBuilder();
            for (int i = 0; i < columns; i++) {
                line.append(row[i]).append(" ".repeat(widths[i] - row[i].length() + 2));
            }
            out.println(line.toString().stripTrailing());
        }
        out.flush();
    }
}
