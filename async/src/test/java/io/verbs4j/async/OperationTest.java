// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.async;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OperationTest {
    /// Identifiers of successive uses differ in their high half. The low half is always the index.
    @Test
    void identifiersDifferAndAreNeverNegative() {
        var operation = new Operation(0x7fff_fffe_0000_0005L);
        assertThat(operation.id()).isZero();
        assertThat(operation.begin()).isEqualTo(0x7fff_ffff_0000_0005L).isEqualTo(operation.id());
        assertThat(operation.end(0)).as("nothing ends by the identifier of no work").isFalse();
        assertThat(operation.end(0x7fff_fffe_0000_0005L)).as("an earlier use").isFalse();
        assertThat(operation.end(0x7fff_ffff_0000_0005L)).isTrue();
        assertThat(operation.end(0x7fff_ffff_0000_0005L)).as("only once").isFalse();
        assertThat(operation.begin()).isEqualTo(0x1_0000_0005L);
        assertThat(new Operation(0).begin()).isEqualTo(0x1_0000_0000L);
    }
}
