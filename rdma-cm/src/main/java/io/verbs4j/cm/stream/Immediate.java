// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

/// The immediate data of the protocol's messages: the type in the upper three bits, a value in the lower 29 bits
/// (librdmacm/rsocket.c).
final class Immediate {
    /// Data: the value is the number of bytes written after the previous ones.
    static final int DATA = 0;
    /// Credits: the value is the total number of data messages that the receiver may send, modulo 2^16. The message may
    /// also announce a ring segment.
    static final int CREDITS = 4;
    /// An entry of the table for direct writes has changed; the value is its index.
    static final int IOMAP = 6;
    /// A control message. Its value is [#DISCONNECT], [#KEEPALIVE] or [#SHUTDOWN].
    static final int CONTROL = 7;

    /// The sender is about to close its end.
    static final int DISCONNECT = 0;
    /// A keep-alive without any other effect.
    static final int KEEPALIVE = 1;
    /// The sender sends no more data, but continues to receive.
    static final int SHUTDOWN = 2;

    /// The largest value.
    static final int MAX_VALUE = (1 << 29) - 1;

    private static final int SHIFT = 29;

    private Immediate() {}

    static int of(int type, int value) {
        return type << SHIFT | value;
    }

    static int type(int immediate) {
        return immediate >>> SHIFT;
    }

    static int value(int immediate) {
        return immediate & MAX_VALUE;
    }
}
