// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tools.inspect.CountersCommand.Change;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CountersTest {
    @Test
    void onlyWhatChangedIsShownWithItsRate() {
        assertThat(Change.between(Map.of("a", 5L, "b", 7L), Map.of("a", 5L, "b", 17L, "c", 2L), 2))
                .isEqualTo(Map.of("b", new Change(17, 10, 5), "c", new Change(2, 2, 1)));
    }
}
