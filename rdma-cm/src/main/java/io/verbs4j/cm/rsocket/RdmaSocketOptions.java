// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.rsocket;

import io.verbs4j.cm.ConnectionOptions;
import io.verbs4j.types.Ranges;

/// How a stream is to be made, on either end. Immutable; each method returns a changed copy.
///
/// @param connection how to connect: timeout, source, type of service, retries. What it says of queues, private data and preparation is
///     the stream's own affair and is replaced
/// @param sendBytes size of the send ring; at least 4096
/// @param receiveBytes size of the receive ring, a multiple of 16; at least 4096
public record RdmaSocketOptions(ConnectionOptions connection, int sendBytes, int receiveBytes) {
    /// C's default for either ring (`wmem`, rsocket.c).
    private static final int RING_BYTES = 1 << 17;

    private static final int LEAST_BYTES = 1 << 12;
    private static final int MOST_BYTES = 1 << 28;
    private static final int UNIT = 16;

    /// Checks the sizes.
    public RdmaSocketOptions {
        Ranges.check("sendBytes", sendBytes, LEAST_BYTES, MOST_BYTES);
        Ranges.check("receiveBytes", receiveBytes, LEAST_BYTES, MOST_BYTES);
        if (receiveBytes % UNIT != 0) {
            throw new IllegalArgumentException("receiveBytes=" + receiveBytes + " is not a multiple of " + UNIT);
        }
    }

    /// Returns options that suit most: rings of 128 KiB, and the default options of connections.
    public static RdmaSocketOptions defaults() {
        return new RdmaSocketOptions(ConnectionOptions.defaults(), RING_BYTES, RING_BYTES);
    }

    /// Sets how to connect.
    public RdmaSocketOptions withConnection(ConnectionOptions value) {
        return new RdmaSocketOptions(value, sendBytes, receiveBytes);
    }

    /// Sets the size of both rings, in bytes.
    public RdmaSocketOptions withBuffers(int send, int receive) {
        return new RdmaSocketOptions(connection, send, receive);
    }
}
