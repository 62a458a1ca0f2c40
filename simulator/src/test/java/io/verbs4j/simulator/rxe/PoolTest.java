// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import org.junit.jupiter.api.Test;

class PoolTest {
    private final Pool<String> pool = new Pool<>(3, 5);

    @Test
    void numbersIncreaseAndAreReusedAfterTheLast() {
        var added = new ArrayList<String>();
        for (int i = 0; i < 4; i++) {
            added.add(pool.add(number -> "number " + number));
        }
        assertThat(added).containsExactly("number 3", "number 4", "number 5", null);
        assertThat(pool.all()).containsExactlyInAnyOrder("number 3", "number 4", "number 5");
        pool.remove(4);
        pool.remove(4);
        assertThat(pool.get(4)).isNull();
        assertThat(pool.add(number -> "again " + number)).isEqualTo("again 4");
        pool.remove(4);
        pool.remove(3);
        assertThat(pool.add(number -> "third " + number)).isEqualTo("third 3");
        assertThat(pool.get(3)).isEqualTo("third 3");
        assertThat(pool.add(number -> "third " + number)).isEqualTo("third 4");
        assertThat(pool.add(number -> "third " + number)).isNull();
    }

    @Test
    void aFreedNumberIsNotTheNext() {
        pool.add(number -> "number " + number);
        pool.remove(3);
        assertThat(pool.add(number -> "number " + number)).isEqualTo("number 4");
    }
}
