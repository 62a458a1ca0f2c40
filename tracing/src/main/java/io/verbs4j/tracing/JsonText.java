// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import java.util.Locale;

/// Puts JSON together (RFC 8259): commas, quotes and escapes. The caller opens and closes.
public final class JsonText {
    private final StringBuilder text = new StringBuilder();

    /// Empty text.
    public JsonText() {}

    /// Opens an object or array.
    ///
    /// @param bracket `{` or `[`
    public void open(char bracket) {
        comma();
        text.append(bracket);
    }

    /// Closes it.
    ///
    /// @param bracket `}` or `]`
    public void close(char bracket) {
        text.append(bracket);
    }

    /// The name of a member, whose value follows.
    public void name(String name) {
        comma();
        string(name);
        text.append(':');
    }

    /// A member.
    public void member(String name, String value) {
        name(name);
        string(value);
    }

    /// A member.
    public void member(String name, long value) {
        name(name);
        text.append(value);
    }

    /// A member.
    public void member(String name, boolean value) {
        name(name);
        text.append(value);
    }

    /// An element of an array.
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

    /// Returns a text as JSON has it: between quotes, with escapes. It is ASCII, so that no encoding of an output damages it.
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
