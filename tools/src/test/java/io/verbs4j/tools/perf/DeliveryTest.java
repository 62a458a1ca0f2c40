// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.tools.common.ToolException;
import org.junit.jupiter.api.Test;

class DeliveryTest {
    @Test
    void aLossIsReportedWithNumbers() {
        var delivery = new Delivery(64, 97, 100);
        assertThat(delivery.isWhole()).isFalse();
        assertThat(delivery.loss()).startsWith("97 of 100 messages received");
    }

    @Test
    void nothingElseIsMeasuredAfterALoss() {
        assertThatThrownBy(() -> new Delivery(64, 97, 100).requireWhole())
                .isInstanceOf(ToolException.class)
                .hasMessageStartingWith("97 of 100 messages of 64 bytes received")
                .hasMessageContaining("one size at a time with -s");
        new Delivery(64, 100, 100).requireWhole();
    }
}
