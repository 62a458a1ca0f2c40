// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import java.util.Locale;

/// Composes JSON (RFC 8259) with commas, quotes and escapes. The caller opens and closes objects and arrays.
public final class JsonText {
    private final StringBuilder text = new StringBuilder();

    /// Creates an empty text.
    public JsonText() {}

    /// Opens an object or array.
    ///
    /// @param bracket `{` or `[`
    public void open(char bracket) {
        comma();
        text.append(bracket);
    }

    /// Closes an object or array.
    ///
    /// @param bracket `}` or `]`
    public void close(char bracket) {
        text.append(bracket);
    }

    /// Appends the name of a member. Append its value next.
    public void name(String name) {
        comma();
        string(name);
        text.append(':');
    }

    /// Appends a member.
    public void member(String name, String value) {
        name(name);
        string(value);
    }

    /// Appends a member.
    public void member(String name, long value) {
        name(name);
        text.append(value);
    }

    /// Appends a member.
    public void member(String name, boolean value) {
        name(name);
        text.append(value);
    }

    /// Appends an element of an array.
    public void element(String value) {
        comma();
        string(value);
    }

    private void comma() {
        if (text.isEmpty()) {
            return;
        }
        char last = text.charAt(text.length() - 1);
        if (last != '{' && last != '[' && last != ':') {
            text.append(',');
        }
    }

    private void string(String value) {
        text.append(quoted(value));
    }

    /// Returns a text as a JSON string with quotes and escapes. The result is ASCII, so it survives any output
    /// encoding.
    public static String quoted(String value) {
        var quoted = new StringBuilder(value.length() + 2).append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '"', '\\' -> quoted.append('\\').append(c);
                case '\n' -> quoted.append("\\n");
                case '\t' -> quoted.append("\\t");
                default -> {
                    if (c < ' ' || c > '~') {
                        quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
                    } else {
                        quoted.append(c);
                    }
                }
            }
        }
        return quoted.append('"').toString();
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
