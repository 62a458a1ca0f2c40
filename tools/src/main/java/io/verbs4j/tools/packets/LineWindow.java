// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.packets;

import java.io.PrintWriter;
import java.util.ArrayDeque;
import java.util.Deque;

/// Prints the first lines at once, keeps the last ones until the end, and prints the number of omitted lines between
/// them.
final class LineWindow {
    private final PrintWriter out;
    private final int first;
    private final int last;
    private final boolean forPrograms;
    private final Deque<String> tail = new ArrayDeque<>();
    private long printed;
    private long omitted;

    /// @param forPrograms whether to print nothing but lines of packets
    LineWindow(PrintWriter out, int first, int last, boolean forPrograms) {
        this.forPrograms = forPrograms;
        this.out = out;
        this.first = first;
        this.last = last;
    }

    void add(String line) {
        if (printed < first) {
            out.println(line);
            out.flush();
            printed++;
            return;
        }
        tail.addLast(line);
        if (tail.size() > last) {
            tail.removeFirst();
            omitted++;
        }
    }

    void finish() {
        if (omitted > 0 && !forPrograms) {
            out.println("             … " + omitted + (omitted == 1 ? " packet" : " packets") + " not shown …");
        }
        omitted = 0;
        tail.forEach(out::println);
        tail.clear();
        out.flush();
    }
}
