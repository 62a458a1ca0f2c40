// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import java.lang.foreign.MemorySegment;

/// A message that the program writes where the device sends it from. The peer has room for it. Used by one thread at a time; it must not
/// be used after it was sent or closed.
///
/// There is one object for each send, which is handed out again and again.
public final class OutgoingMessage implements AutoCloseable {
    private final MessageLink link;
    private final int slot;
    private boolean held; // guarded by the lock of the pump

    OutgoingMessage(MessageLink link, int slot) {
        this.link = link;
        this.slot = slot;
    }

    /// Returns the memory for the longest message.
    ///
    /// @throws IllegalStateException if it was sent or closed, or the messages are closed
    public MemorySegment segment() {
        requireHeld();
        return link.content(slot, link.bytes());
    }

    /// Sends the beginning of the memory.
    ///
    /// @param length in bytes, 0 to the memory's length
    /// @throws IllegalStateException if it was sent or closed, or the program's own work fills the send queue
    /// @throws io.verbs4j.types.VerbsException `ECONNRESET` if the connection has ended
    public void send(int length) {
        requireHeld();
        link.send(this, length);
    }

    /// Gives the memory back, unless the message was sent. Idempotent.
    @Override
    public void close() {
        link.discard(this);
    }

    private void requireHeld() {
        if (!held) {
            throw new IllegalStateException("the message was sent or closed");
        }
    }

    int slot() {
        return slot;
    }

    boolean isHeld() {
        return held;
    }

    void hold() {
        held = true;
    }

    void letGo() {
        held = false;
    }

    @Override
    public String toString() {
        return held ? "message to be sent" : "message that was sent";
    }
}
