// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.valkey;

/// Receives the messages and writes of the protocol. The protocol counts outstanding work requests, so there is always
/// room.
interface Outbox {
    /// Sends a control message. Its completion carries [Protocol#CONTROL].
    ///
    /// @param opcode one of [ControlMessage]
    void control(int opcode);

    /// Writes bytes of the send buffer to the server, with their number as immediate data. The completion carries the
    /// same number.
    ///
    /// @param offset first byte in the send buffer
    /// @param address the server's address
    /// @param key the server's key
    void write(long offset, int length, long address, int key);
}
