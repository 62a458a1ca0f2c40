// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.rsocket;

/// The numbers that travel as immediate data: three bits of kind, 29 bits of value.
final class StreamMessage {
    /// Bytes were written behind those that came before; the value is their number.
    static final int DATA = 0;

    /// A new credit limit; with 16 bytes of data also a half ring, in the table.
    static final int CREDIT = 4;

    /// One of the three below.
    static final int CONTROL = 7;

    /// The sender closes the connection.
    static final int DISCONNECT = 0;

    /// The sender is alive.
    static final int KEEP_ALIVE = 1;

    /// The sender sends no more data.
    static final int SHUTDOWN = 2;

    private static final int KIND_SHIFT = 29;
    private static final int VALUE_MASK = (1 << KIND_SHIFT) - 1;

    private StreamMessage() {}

    static int of(int kind, int value) {
        return (kind << KIND_SHIFT) | (value & VALUE_MASK);
    }

    static int kind(int message) {
        return message >>> KIND_SHIFT;
    }

    static int value(int message) {
        return message & VALUE_MASK;
    }
}
