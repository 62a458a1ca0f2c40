// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.packets;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class LineWindowTest {
    private static String show(int lines, int first, int last) {
        var text = new StringWriter();
        var window = new LineWindow(new PrintWriter(text), first, last, false);
        for (int line = 1; line <= lines; line++) {
            window.add(Integer.toString(line));
        }
        window.finish();
        return String.join(" ", text.toString().strip().split("\\s+"));
    }

    @Test
    void everythingFits() {
        assertThat(show(3, 2, 1)).isEqualTo("1 2 3");
    }

    @Test
    void middleIsLeftOutAndCounted() {
        assertThat(show(9, 2, 3)).isEqualTo("1 2 … 4 packets not shown … 7 8 9");
        assertThat(show(4, 2, 1)).isEqualTo("1 2 … 1 packet not shown … 4");
    }

    @Test
    void onlyTheEndOrOnlyTheBeginning() {
        assertThat(show(9, 0, 2)).isEqualTo("… 7 packets not shown … 8 9");
        assertThat(show(9, 2, 0)).isEqualTo("1 2 … 7 packets not shown …");
    }
}
