// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

/// The immediate data of the protocol's messages: the type in the upper three bits, a value in the lower 29 (librdmacm/rsocket.c).
final class Immediate {
    /// So many bytes were written behind the last ones.
    static final int DATA = 0;
    /// Number of messages of data that may be sent in all, modulo 2^16; perhaps with a piece of ring.
    static final int CREDITS = 4;
    /// An entry of the table for direct writes has changed.
    static final int IOMAP = 6;
    /// See the values below.
    static final int CONTROL = 7;

    /// The sender is about to close its end.
    static final int DISCONNECT = 0;
    /// Nothing: shows that the sender lives.
    static final int KEEPALIVE = 1;
    /// The sender sends no more data, and goes on receiving.
    static final int SHUTDOWN = 2;

    /// The largest value.
    static final int MOST = (1 << 29) - 1;

    private static final int SHIFT = 29;

    private Immediate() {}

    static int of(int type, int value) {
        return type << SHIFT | value;
    }

    static int type(int immediate) {
        return immediate >>> SHIFT;
    }

    static int value(int immediate) {
        return immediate & MOST;
    }
}
