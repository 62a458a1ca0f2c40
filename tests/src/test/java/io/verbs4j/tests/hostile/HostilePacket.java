// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.hostile;

import io.verbs4j.RemoteMemory;
import io.verbs4j.roce.Aeth;
import io.verbs4j.roce.AtomicAckEth;
import io.verbs4j.roce.AtomicEth;
import io.verbs4j.roce.Bth;
import io.verbs4j.roce.DcConnectEth;
import io.verbs4j.roce.DcEth;
import io.verbs4j.roce.Deth;
import io.verbs4j.roce.Feth;
import io.verbs4j.roce.HeaderKind;
import io.verbs4j.roce.Ieth;
import io.verbs4j.roce.ImmDt;
import io.verbs4j.roce.Rdeth;
import io.verbs4j.roce.Reth;
import io.verbs4j.roce.RoceHeader;
import io.verbs4j.roce.RoceOpcode;
import io.verbs4j.roce.RoceV2Packet;
import io.verbs4j.roce.XrcEth;
import io.verbs4j.tests.support.ConnectedPair;

/// A packet described by its defects.
///
/// @param opcode any opcode, even an undefined one
/// @param lie the kind of wrong header; 0 for none
/// @param payload size of the payload in bytes
/// @param psnOffset distance from the expected packet sequence number
record HostilePacket(int opcode, int lie, int payload, int psnOffset) {
    /// Ways in which headers can be wrong.
    static final int LIES = 6;

    private static final int PLAIN_PKEY = 0xffff;

    /// Returns the packet.
    ///
    /// @param queuePair the destination queue pair
    /// @param psn the expected packet sequence number
    /// @param memory memory that the receiver has offered
    RoceV2Packet to(int queuePair, int psn, RemoteMemory memory) {
        var code = new RoceOpcode(opcode);
        var headers = code.headers().stream().map(kind -> header(kind, memory)).toArray(RoceHeader[]::new);
        var bth = new Bth(
                code, true, lie == 1, lie == 2 ? 3 : Bth.padCount(payload), lie == 5 ? 1 : 0,
                lie == 4 ? PLAIN_PKEY - 0x8001 : PLAIN_PKEY, lie == 1, lie == 2, queuePair, true,
                psn + psnOffset & 0xff_ffff);
        return new RoceV2Packet.Builder().bth(bth).extensions(headers).payload(new byte[payload]).build();
    }

    private RoceHeader header(HeaderKind kind, RemoteMemory memory) {
        return switch (kind) {
            case RETH -> switch (lie) {
                case 1 -> new Reth(memory.address(), memory.remoteKey() ^ 0x80, payload);
                case 2 -> new Reth(memory.address() + memory.length() - 4, memory.remoteKey(), Math.max(payload, 8));
                case 3 -> new Reth(memory.address(), memory.remoteKey(), 0x8000_0001L);
                case 4 -> new Reth(-8, memory.remoteKey(), 16);
                case 5 -> new Reth(memory.address(), memory.remoteKey(), payload + 4L);
                default -> new Reth(memory.address(), memory.remoteKey(), payload);
            };
            case ATOMIC_ETH -> new AtomicEth(
                    memory.address() + (lie == 2 ? 4 : lie == 3 ? memory.length() : 0),
                    lie == 1 ? memory.remoteKey() ^ 0x80 : memory.remoteKey(), 1, 0);
            case FETH -> new Feth(lie == 1 ? 0 : lie == 2 ? 15 : 1, lie == 3 ? 3 : lie == 4 ? 1 : 0);
            case IETH -> new Ieth(lie == 1 ? memory.remoteKey() : lie == 2 ? 0 : memory.remoteKey() ^ 0x80);
            case DETH -> new Deth(lie == 1 ? 7 : ConnectedPair.QKEY, lie == 2 ? 0 : 0xff_ffff);
            // An acknowledgement; receiver not ready; refusals for each reason, and for none that there is; reserved.
            case AETH -> new Aeth(new int[]{0x1f, 0x20, 0x60, 0x61, 0x62, 0x63}[lie], lie);
            case ATOMIC_ACK_ETH -> new AtomicAckEth(lie);
            case IMM_DT -> new ImmDt(lie);
            case DC_ETH -> new DcEth(lie);
            case DC_CONNECT_ETH -> new DcConnectEth(lie, lie);
            case RDETH -> new Rdeth(lie);
            case XRC_ETH -> new XrcEth(lie);
        };
    }
}
