// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.valkey;

/// Takes what the protocol sends. The protocol counts what is outstanding, so there is always room.
interface Outbox {
    /// Sends a control message. Its completion carries [Protocol#CONTROL].
    ///
    /// @param opcode one of [ControlMessage]
    void control(int opcode);

    /// Writes bytes of the send buffer to the server, with their number as immediate data. The completion carries that
    /// number.
    ///
    /// @param offset first byte in the send buffer
    /// @param address the server's address
    /// @param key the server's key
    void write(long offset, int length, long address, int key);
}
