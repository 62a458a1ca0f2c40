// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.packets;

import io.verbs4j.roce.Bth;
import io.verbs4j.roce.Deth;
import io.verbs4j.roce.PacketStart;
import io.verbs4j.roce.RoceHeader;
import io.verbs4j.roce.RoceOpcode;
import io.verbs4j.roce.RoceV2Packet;
import io.verbs4j.roce.mad.Mad;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Selects packets.
///
/// @param queuePairs numbers of destination queue pairs, or for datagrams also of source queue pairs; empty for all
/// @param opcodes parts of names of opcodes or of the connection manager's messages (`CM REQ`), or numbers of opcodes;
///     empty for all
record PacketFilter(List<Integer> queuePairs, List<String> opcodes) {
    boolean wants(RoceV2Packet packet) {
        return wants(packet.bth(), packet.extensions(), Mad.in(packet));
    }

    /// Returns whether the available part of a packet matches. Without a base transport header, it never does.
    boolean wants(PacketStart start) {
        return start.bth()
                .map(bth -> wants(bth, start.extensions(), Optional.empty()))
                .orElse(queuePairs.isEmpty() && opcodes.isEmpty());
    }

    private boolean wants(Bth bth, List<RoceHeader> extensions, Optional<Mad> mad) {
        return (queuePairs.isEmpty() || queuePairs.stream().anyMatch(number -> isOf(bth, extensions, number)))
                && (opcodes.isEmpty() || opcodes.stream().anyMatch(text -> matches(bth.opcode(), mad, text)));
    }

    private static boolean isOf(Bth bth, List<RoceHeader> extensions, int queuePair) {
        return bth.destinationQueuePair() == queuePair
                || extensions.stream()
                        .anyMatch(header -> header instanceof Deth deth && deth.sourceQueuePair() == queuePair);
    }

    private static boolean matches(RoceOpcode opcode, Optional<Mad> mad, String text) {
        try {
            return Integer.decode(text) == opcode.value();
        } catch (NumberFormatException e) {
            return contains(opcode.toString(), text)
                    || mad.filter(found -> contains(found.toString(), text)).isPresent();
        }
    }

    private static boolean contains(String name, String text) {
        return name.toLowerCase(Locale.ROOT).contains(text.toLowerCase(Locale.ROOT));
    }
}
