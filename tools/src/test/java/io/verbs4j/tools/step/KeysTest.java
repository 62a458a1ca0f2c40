// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.step;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeysTest {
    private static Keys typed(String text) {
        return Keys.of(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)),
                new PrintWriter(new StringWriter()), _ -> null);
    }

    /// `stty -g` prints the settings, which restore them as arguments (stty(1)).
    @Test
    void aTerminalIsReadKeyByKeyAndRestored() {
        var calls = new ArrayList<List<String>>();
        var out = new StringWriter();
        var input = new ByteArrayInputStream("aq".getBytes(StandardCharsets.UTF_8));
        try (Keys keys = Keys.of(input, new PrintWriter(out), arguments -> {
            calls.add(List.of(arguments));
            return arguments[0].equals("-g") ? "saved" : "";
        })) {
            assertThat(keys.next()).isTrue();
            assertThat(keys.next()).isFalse();
            assertThat(out.toString()).startsWith("-- any key continues");
            assertThat(calls).containsExactly(List.of("-g"), List.of("-icanon", "-echo", "min", "1"));
        }
        assertThat(calls.getLast()).containsExactly("saved");
        Keys.of(input, new PrintWriter(out), arguments -> arguments[0].equals("-g") ? "saved" : null).close();
    }

    @Test
    void withoutATerminalALineIsAKey() {
        try (Keys keys = typed("\nanything\nquit\n\n")) {
            assertThat(keys.next()).isTrue();
            assertThat(keys.next()).isTrue();
            assertThat(keys.next()).as("q").isFalse();
            assertThat(keys.next()).isTrue();
        }
    }

    @Test
    void atTheEndOfTheInputItGoesOn() {
        try (Keys keys = typed("")) {
            assertThat(keys.next()).isTrue();
        }
    }
}
