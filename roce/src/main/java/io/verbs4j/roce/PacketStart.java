// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.roce;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The headers at the start of a RoCE packet, as far as they are there.
///
/// @param bth base transport header; empty if it is not all there
/// @param extensions the headers after it that are there, in the order of the wire
/// @param missing abbreviation of the first header that is not all there; empty if all are
public record PacketStart(Optional<Bth> bth, List<RoceHeader> extensions, String missing) {
    /// Copies the list.
    public PacketStart {
        extensions = List.copyOf(extensions);
    }

    /// Reads the headers of a packet.
    ///
    /// @param buffer holds its beginning; afterwards its position is behind the last header that is there
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
