// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.types.Errno;
import io.verbs4j.types.PrivateData;
import io.verbs4j.types.VerbsException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// What one end of a connection receives as [Messages]. Both ends announce it in the last 12 bytes of their private data: the mark `v4jm`,
/// the count and the length, each as 4 bytes in network order.
///
/// @param count messages that the peer may send before this end has taken one, 1 to 65536
/// @param bytes the longest message, 1 to 2^30
record MessageTerms(int count, int bytes) {
    static final int MAX_COUNT = 1 << 16;
    static final int MAX_BYTES = 1 << 30;
    /// Bytes of private data that they take.
    static final int SIZE = 12;

    private static final int MARK = 0x76346a6d;

    /// Returns private data with the terms at their end.
    ///
    /// @param own what the program sends along
    /// @param limit bytes of private data that the connection manager's message carries
    /// @throws IllegalArgumentException if the program's data leave no room
    PrivateData appendTo(PrivateData own, int limit) {
        if (own.size() > limit - SIZE) {
            throw new IllegalArgumentException(
                    "privateData.size=" + own.size() + " is more than fits beside the terms of messages: "
                            + (limit - SIZE) + " bytes");
        }
        ByteBuffer all = ByteBuffer.allocate(limit).put(own.bytes());
        all.position(limit - SIZE).putInt(MARK).putInt(count).putInt(bytes);
        return PrivateData.of(all.array());
    }

    /// Reads the terms of a peer.
    ///
    /// @param limit bytes of private data that the connection manager's message carries
    /// @return null if there are none
    static @Nullable MessageTerms in(PrivateData data, int limit) {
        if (data.size() < limit) {
            return null;
        }
        ByteBuffer buffer = ByteBuffer.wrap(data.bytes()).position(limit - SIZE);
        boolean marked = buffer.getInt() == MARK;
        int count = buffer.getInt();
        int bytes = buffer.getInt();
        boolean valid = marked && count > 0 && count <= MAX_COUNT && bytes > 0 && bytes <= MAX_BYTES;
        return valid ? new MessageTerms(count, bytes) : null;
    }

    /// Returns what the peer's program sent along: zeros in place of the terms.
    static PrivateData without(PrivateData data, int limit) {
        if (in(data, limit) == null) {
            return data;
        }
        return PrivateData.of(
                ByteBuffer.wrap(data.bytes()).put(limit - SIZE, new byte[SIZE]).array());
    }

    /// Requires that a peer agrees.
    ///
    /// @param theirs null if the peer has announced none
    /// @return the peer's terms
    /// @throws VerbsException `EPROTO` if the peer has none, or messages of another length
    MessageTerms agree(String operation, @Nullable MessageTerms theirs) {
        if (theirs == null || theirs.bytes != bytes) {
            throw new VerbsException(operation, Errno.EPROTO, disagreement(theirs));
        }
        return theirs;
    }

    private String disagreement(@Nullable MessageTerms theirs) {
        return theirs == null
                ? "this end has messages of " + bytes
                        + " bytes, and the peer has none; give it ConnectionOptions.withMessages("
                        + count + ", " + bytes + "), or this end withPlainMessages if the peer is a program in C"
                : "this end's messages have " + bytes + " bytes, the peer's " + theirs.bytes
                        + "; give both ends the same length in ConnectionOptions.withMessages";
    }

    /// Explains why the peer has rejected a request.
    ///
    /// @param ours null if this end has none
    String rejection(@Nullable MessageTerms ours) {
        return ours != null
                ? ours.disagreement(this)
                : "the peer has messages of " + bytes + " bytes, and this end has none; give it"
                        + " ConnectionOptions.withMessages(" + count + ", " + bytes + ")";
    }
}
