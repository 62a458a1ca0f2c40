// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import java.nio.ByteBuffer;

/// The headers that can follow the base transport header.
public enum HeaderKind {
    /// [DcEth].
    DC_ETH("DCETH", DcEth.BYTES),
    /// [DcConnectEth].
    DC_CONNECT_ETH("DCCETH", DcConnectEth.BYTES),
    /// [Rdeth].
    RDETH("RDETH", Rdeth.BYTES),
    /// [XrcEth].
    XRC_ETH("XRCETH", XrcEth.BYTES),
    /// [Deth].
    DETH("DETH", Deth.BYTES),
    /// [Feth].
    FETH("FETH", Feth.BYTES),
    /// [Reth].
    RETH("RETH", Reth.BYTES),
    /// [AtomicEth].
    ATOMIC_ETH("AtomicETH", AtomicEth.BYTES),
    /// [Aeth].
    AETH("AETH", Aeth.BYTES),
    /// [AtomicAckEth].
    ATOMIC_ACK_ETH("AtomicAckETH", AtomicAckEth.BYTES),
    /// [ImmDt].
    IMM_DT("ImmDt", ImmDt.BYTES),
    /// [Ieth].
    IETH("IETH", Ieth.BYTES);

    private final String abbreviation;
    private final int bytes;

    HeaderKind(String abbreviation, int bytes) {
        this.abbreviation = abbreviation;
        this.bytes = bytes;
    }

    /// Returns the abbreviation that the specification uses, such as `RETH`.
    public String abbreviation() {
        return abbreviation;
    }

    /// Returns the length in bytes.
    public int bytes() {
        return bytes;
    }

    RoceHeader parse(ByteBuffer buffer) {
        return switch (this) {
            case DC_ETH -> DcEth.parse(buffer);
            case DC_CONNECT_ETH -> DcConnectEth.parse(buffer);
            case RDETH -> Rdeth.parse(buffer);
            case XRC_ETH -> XrcEth.parse(buffer);
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
