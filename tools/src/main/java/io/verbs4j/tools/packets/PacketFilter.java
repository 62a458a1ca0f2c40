// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.packets;

import io.verbs4j.roce.Deth;
import io.verbs4j.roce.RoceOpcode;
import io.verbs4j.roce.RoceV2Packet;
import io.verbs4j.roce.mad.Mad;
import java.util.List;
import java.util.Locale;

/// Selects packets.
///
/// @param queuePairs numbers of queue pairs that a packet goes to, or, of a datagram, comes from; empty for all
/// @param opcodes parts of names of opcodes or of the connection manager's messages (`CM REQ`), or opcodes' numbers; empty for
///     all
record PacketFilter(List<Integer> queuePairs, List<String> opcodes) {
    boolean wants(RoceV2Packet packet) {
        return (queuePairs.isEmpty() || queuePairs.stream().anyMatch(number -> isOf(packet, number)))
                && (opcodes.isEmpty() || opcodes.stream().anyMatch(text -> matches(packet, text)));
    }

    private static boolean isOf(RoceV2Packet packet, int queuePair) {
        return packet.bth().destinationQueuePair() == queuePair
                || packet.extension(Deth.class).filter(deth -> deth.sourceQueuePair() == queuePair).isPresent();
    }

    private static boolean matches(RoceV2Packet packet, String text) {
        RoceOpcode opcode = packet.bth().opcode();
        try {
            return Integer.decode(text) == opcode.value();
        } catch (NumberFormatException e) {
            return contains(opcode.toString(), text)
                    || Mad.in(packet).filter(mad -> contains(mad.toString(), text)).isPresent();
        }
    }

    private static boolean contains(String name, String text) {
        return name.toLowerCase(Locale.ROOT).contains(text.toLowerCase(Locale.ROOT));
    }
}
