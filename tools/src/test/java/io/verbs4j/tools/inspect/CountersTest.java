// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tools.common.Json;
import io.verbs4j.tools.inspect.CountersCommand.Change;
import java.math.BigInteger;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CountersTest {
    @Test
    void onlyWhatChangedIsShownWithItsRate() {
        assertThat(Change.between(Map.of("a", 5L, "b", 7L), Map.of("a", 5L, "b", 17L, "c", 2L), 2))
                .isEqualTo(Map.of("b", new Change(17, BigInteger.TEN, 5), "c", new Change(2, BigInteger.TWO, 1)));
    }

    /// Numbers of the kernel are unsigned, a difference is not.
    @Test
    void aCounterThatFellHasANegativeChange() {
        Map<String, Change> changes = Change.between(Map.of("a", 5L), Map.of("a", 2L), 1);

        assertThat(Json.line(changes)).isEqualTo("{\"a\":{\"value\":2,\"change\":-3,\"perSecond\":-3.0}}");
    }
}
