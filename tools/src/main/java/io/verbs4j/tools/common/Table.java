// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.common;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A table of text. Each column is as wide as its widest text.
public final class Table {
    private final List<List<String>> rows = new ArrayList<>();

    /// @param heads names of the columns
    public Table(String... heads) {
        rows.add(List.of(heads));
    }

    /// Adds a row with as many cells as there are columns.
    public Table row(Object... cells) {
        rows.add(Arrays.stream(cells).map(String::valueOf).toList());
        return this;
    }

    /// Prints the heads and all rows.
    public void print(PrintWriter out) {
        int[] widths = new int[rows.getFirst().size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        for (List<String> row : rows) {
            var line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                line.append(row.get(i)).repeat(' ', widths[i] - row.get(i).length() + 2);
            }
            out.println(line.toString().stripTrailing());
        }
    }
}
