// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools;

import java.io.PrintWriter;
import java.io.Writer;

/// Forwards complete lines with a label, so that lines of several writers do not mix.
final class LabelledLines extends Writer {
    private final String label;
    private final PrintWriter target;
    private final StringBuilder begun = new StringBuilder(); // guarded by this

    LabelledLines(String label, PrintWriter target) {
        this.label = label;
        this.target = target;
    }

    @Override
    public synchronized void write(char[] characters, int offset, int length) {
        begun.append(characters, offset, length);
        int start = 0;
        int end;
        while ((end = begun.indexOf("\n", start)) >= 0) {
            pass(start, end);
            start = end + 1;
        }
        begun.delete(0, start);
    }

    private void pass(int start, int end) {
        String line = label + begun.substring(start, end);
        target.print(line.stripTrailing() + System.lineSeparator());
    }

    @Override
    public void flush() {
        target.flush();
    }

    /// Forwards a last line without a line separator.
    @Override
    public synchronized void close() {
        if (!begun.isEmpty()) {
            pass(0, begun.length());
            begun.setLength(0);
        }
        target.flush();
    }
}
