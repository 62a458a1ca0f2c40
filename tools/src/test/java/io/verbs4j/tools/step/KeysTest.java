// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.step;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class KeysTest {
    private static Keys typed(String text) {
        return Keys.of(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)),
                new PrintWriter(new StringWriter()));
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
