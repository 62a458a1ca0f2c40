// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

class CurrentHostTest {
    @Test
    void isThisMachineIfNothingElseIsAskedFor() {
        assertThat(CurrentHost.choose(null)).isInstanceOf(LinuxHost.class);
    }

    @Test
    void namesWhatIsMissingIfNothingSimulates() {
        assertThatIllegalStateException()
                .isThrownBy(() -> CurrentHost.choose("2"))
                .withMessageContaining("verbs4j.simulate=2")
                .withMessageContaining("verbs4j-simulator");
    }
}
