// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.types.Errno;
import io.verbs4j.types.PrivateData;
import io.verbs4j.types.VerbsException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// The count and length of the messages that one end of a connection receives ([Messages]). Each end announces its
/// terms in the last 12 bytes of its private data: the mark `v4jm`, the count and the length, each as 4 bytes in
/// network byte order.
///
/// @param count maximum number of messages that the peer may send before this end has taken one of them, 1 to 65536
/// @param bytes maximum length of a message, 1 to 2^30
record MessageTerms(int count, int bytes) {
    static final int MAX_COUNT = 1 << 16;
    static final int MAX_BYTES = 1 << 30;
    /// Size of the terms in private data, in bytes.
    static final int SIZE = 12;

    private static final int MARK = 0x76346a6d;

    /// Returns private data that ends with the terms.
    ///
    /// @param own the program's private data
    /// @param limit maximum size of the private data in the connection manager's message
    /// @throws IllegalArgumentException if the program's data leaves no room
    PrivateData appendTo(PrivateData own, int limit) {
        if (own.size() > limit - SIZE) {
            throw new IllegalArgumentException(
                    "privateData.size=" + own.size() + " exceeds the limit with messages: "
                            + (limit - SIZE) + " bytes");
        }
        ByteBuffer all = ByteBuffer.allocate(limit).put(own.bytes());
        all.position(limit - SIZE).putInt(MARK).putInt(count).putInt(bytes);
        return PrivateData.of(all.array());
    }

    /// Reads a peer's terms.
    ///
    /// @param limit maximum size of the private data in the connection manager's message
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

    /// Returns the private data of the peer's program, with zeros in place of the peer's terms.
    static PrivateData without(PrivateData data, int limit) {
        if (in(data, limit) == null) {
            return data;
        }
        return PrivateData.of(
                ByteBuffer.wrap(data.bytes()).put(limit - SIZE, new byte[SIZE]).array());
    }

    /// Checks that the peer's terms are compatible.
    ///
    /// @param theirs null if the peer has announced none
    /// @return the peer's terms
    /// @throws VerbsException `EPROTO` if the peer has no messages, or a different message length
    MessageTerms agree(String operation, @Nullable MessageTerms theirs) {
        if (theirs == null || theirs.bytes != bytes) {
            throw new VerbsException(operation, Errno.EPROTO, disagreement(theirs));
        }
        return theirs;
    }

    private String disagreement(@Nullable MessageTerms theirs) {
        return theirs == null
                ? "this end uses messages of " + bytes
                        + " bytes, and the peer uses none; set ConnectionOptions.withMessages("
                        + count + ", " + bytes
                        + ") there, or withPlainMessages at this end if the peer is a program in C"
                : "the message lengths differ: " + bytes + " bytes at this end, " + theirs.bytes + " at the peer"
                        + "; set the same length in ConnectionOptions.withMessages at both ends";
    }

    /// Explains why the peer has rejected the request.
    ///
    /// @param ours null if this end uses no messages
    String rejection(@Nullable MessageTerms ours) {
        return ours != null
                ? ours.disagreement(this)
                : "the peer uses messages of " + bytes + " bytes, and this end uses none; set"
                        + " ConnectionOptions.withMessages(" + count + ", " + bytes + ") at this end";
    }
}
