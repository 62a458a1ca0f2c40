// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/// A device matches the model only if everything does, although it checks inexpensive properties first and copies
/// nothing.
class RxeDeviceTest {
    @Test
    void aDeviceIsAtItsOwnState() {
        try (var device = new SimulatedEnds().open(false)) {
            assertThat(device.isAt(device.state())).isTrue();
        }
    }

    @Test
    void noOtherNumberIsTakenForItsOwn() {
        try (var device = new SimulatedEnds().open(false)) {
            for (int i = 0; i < 2 * State.NUMBERS.size(); i++) {
                var other = device.state();
                other.numbers()[i]++;
                assertThat(device.isAt(other)).as("number %d", i).isFalse();
            }
        }
    }

    @Test
    void noOtherByteIsTakenForItsOwn() {
        try (var device = new SimulatedEnds().open(false)) {
            for (int region = 0; region < 2 * Layout.REGIONS.size(); region++) {
                int bytes = device.state().memory()[region].length;
                for (int at : Arrays.asList(0, 1, bytes / 2 + 1, bytes - 1)) {
                    var other = device.state();
                    other.memory()[region][at] ^= 1;
                    assertThat(device.isAt(other)).as("byte %d of region %d", at, region).isFalse();
                }
            }
        }
    }
}
