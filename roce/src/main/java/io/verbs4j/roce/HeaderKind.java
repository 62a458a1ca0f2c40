// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import java.nio.ByteBuffer;

/// The headers that can follow the base transport header.
public enum HeaderKind {
    /// [Deth].
    DETH,
    /// [Feth].
    FETH,
    /// [Reth].
    RETH,
    /// [AtomicEth].
    ATOMIC_ETH,
    /// [Aeth].
    AETH,
    /// [AtomicAckEth].
    ATOMIC_ACK_ETH,
    /// [ImmDt].
    IMM_DT,
    /// [Ieth].
    IETH;

    RoceHeader parse(ByteBuffer buffer) {
        return switch (this) {
            case DETH -> Deth.parse(buffer);
            case FETH -> Feth.parse(buffer);
            case RETH -> Reth.parse(buffer);
            case ATOMIC_ETH -> AtomicEth.parse(buffer);
            case AETH -> Aeth.parse(buffer);
            case ATOMIC_ACK_ETH -> AtomicAckEth.parse(buffer);
            case IMM_DT -> ImmDt.parse(buffer);
            case IETH -> Ieth.parse(buffer);
        };
    }
}
