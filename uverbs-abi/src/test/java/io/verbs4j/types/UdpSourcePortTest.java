// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The rules for the source port of RoCE v2 packets. The expected values are those of libibverbs and the kernel.
class UdpSourcePortTest {
    @ParameterizedTest
    @CsvSource({"0, 0xc000", "1, 0xc001", "0x3fff, 0xffff", "0x4000, 0xc001", "0xfffff, 0xffc0", "0xabcde, 0xfcf4"})
    void upperBitsOfTheFlowLabelAreFoldedIntoItsLowerFourteen(int flowLabel, int port) {
        assertThat(UdpSourcePort.ofFlowLabel(flowLabel)).isEqualTo(port);
    }

    @ParameterizedTest
    @CsvSource({"0, 5, 0xc000", "17, 18, 0xc132", "0xffffff, 0xffffff, 0xff21"})
    void queuePairNumbersGiveTheSamePortInBothDirections(int one, int other, int port) {
        assertThat(UdpSourcePort.ofQueuePairs(one, other)).isEqualTo(port);
        assertThat(UdpSourcePort.ofQueuePairs(other, one)).isEqualTo(port);
    }

    @Test
    void refusesWhatIsTooLarge() {
        assertThatThrownBy(() -> UdpSourcePort.ofFlowLabel(1 << 20)).hasMessageContaining("flowLabel=1048576");
        assertThatThrownBy(() -> UdpSourcePort.ofQueuePairs(1 << 24, 0)).hasMessageContaining("one=");
        assertThatThrownBy(() -> UdpSourcePort.ofQueuePairs(0, -1)).hasMessageContaining("other=");
    }
}
