// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The headers at the start of a RoCE packet, as far as they are complete.
///
/// @param bth base transport header; empty if this header is incomplete
/// @param extensions the complete headers after the base transport header, in wire order
/// @param missing abbreviation of the first incomplete header; empty if all are complete
public record PacketStart(Optional<Bth> bth, List<RoceHeader> extensions, String missing) {
    /// Copies the list.
    public PacketStart {
        extensions = List.copyOf(extensions);
    }

    /// Parses the headers of a packet.
    ///
    /// @param buffer starts with the packet; afterwards, the buffer's position is after the last complete header
    public static PacketStart read(ByteBuffer buffer) {
        if (buffer.remaining() < Bth.BYTES) {
            return new PacketStart(Optional.empty(), List.of(), "BTH");
        }
        var bth = Bth.parse(buffer);
        var extensions = new ArrayList<RoceHeader>();
        for (HeaderKind kind : bth.following()) {
            if (buffer.remaining() < kind.bytes()) {
                return new PacketStart(Optional.of(bth), extensions, kind.abbreviation());
            }
            extensions.add(kind.parse(buffer));
        }
        return new PacketStart(Optional.of(bth), extensions, "");
    }
}
