// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import java.nio.ByteBuffer;
import java.util.function.Function;

/// The headers that can follow the base transport header.
public enum HeaderKind {
    /// [DcEth].
    DC_ETH("DCETH", DcEth.BYTES, DcEth::parse),
    /// [DcConnectEth].
    DC_CONNECT_ETH("DCCETH", DcConnectEth.BYTES, DcConnectEth::parse),
    /// [Rdeth].
    RDETH("RDETH", Rdeth.BYTES, Rdeth::parse),
    /// [XrcEth].
    XRC_ETH("XRCETH", XrcEth.BYTES, XrcEth::parse),
    /// [Deth].
    DETH("DETH", Deth.BYTES, Deth::parse),
    /// [Feth].
    FETH("FETH", Feth.BYTES, Feth::parse),
    /// [Reth].
    RETH("RETH", Reth.BYTES, Reth::parse),
    /// [AtomicEth].
    ATOMIC_ETH("AtomicETH", AtomicEth.BYTES, AtomicEth::parse),
    /// [Aeth].
    AETH("AETH", Aeth.BYTES, Aeth::parse),
    /// [AtomicAckEth].
    ATOMIC_ACK_ETH("AtomicAckETH", AtomicAckEth.BYTES, AtomicAckEth::parse),
    /// [ImmDt].
    IMM_DT("ImmDt", ImmDt.BYTES, ImmDt::parse),
    /// [Ieth].
    IETH("IETH", Ieth.BYTES, Ieth::parse);

    private final String abbreviation;
    private final int bytes;
    @SuppressWarnings("ImmutableEnumChecker") // a method of a record
    private final Function<ByteBuffer, RoceHeader> parser;

    HeaderKind(String abbreviation, int bytes, Function<ByteBuffer, RoceHeader> parser) {
        this.abbreviation = abbreviation;
        this.bytes = bytes;
        this.parser = parser;
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
        return parser.apply(buffer);
    }
}
