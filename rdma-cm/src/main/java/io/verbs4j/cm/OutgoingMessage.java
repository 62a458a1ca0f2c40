// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import java.lang.foreign.MemorySegment;

/// A message that the program writes directly into send memory. The peer has room for the message. Not thread-safe. Do
/// not use a message after sending or closing it: each send slot has one such object, which the slot's next message
/// reuses.
public final class OutgoingMessage implements AutoCloseable {
    private final MessageLink link;
    private final MessagePump pump;
    private final int slot;
    private boolean held; // guarded by the lock of the pump

    OutgoingMessage(MessageLink link, MessagePump pump, int slot) {
        this.link = link;
        this.pump = pump;
        this.slot = slot;
    }

    /// Returns memory for a message of maximum length.
    ///
    /// @throws IllegalStateException if this message was sent or closed, or the connection's [Messages] are closed
    public MemorySegment segment() {
        requireHeld();
        return link.content(slot, link.bytes());
    }

    /// Sends the first bytes of the memory.
    ///
    /// @param length in bytes, 0 to the memory's size
    /// @throws IllegalStateException if this message was sent or closed, or the program's own work fills the send queue
    /// @throws io.verbs4j.types.VerbsException `ECONNRESET` if the connection has ended
    public void send(int length) {
        requireHeld();
        link.send(this, length);
    }

    /// Releases the memory, unless the message was sent. Idempotent.
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
        pump.composed++;
    }

    void letGo() {
        if (held) {
            held = false;
            pump.composed--;
        }
    }

    @Override
    public String toString() {
        return held ? "unsent message" : "sent message";
    }
}
