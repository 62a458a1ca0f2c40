// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import java.lang.foreign.MemorySegment;

/// A received message, in the memory that the device wrote it to. Closing the message lets the peer send another one.
/// Do not use a message after closing it: each receive has one such object, which the receive's next message reuses.
public final class IncomingMessage implements AutoCloseable {
    private final MessageLink link;
    private final int slot;
    private int length; // guarded by the lock of the pump, like the rest
    private boolean held;

    IncomingMessage(MessageLink link, int slot) {
        this.link = link;
        this.slot = slot;
    }

    /// Returns the bytes of the message.
    ///
    /// @throws IllegalStateException if this message is closed, or the connection's [Messages] are closed
    public MemorySegment segment() {
        requireHeld();
        return link.content(slot, length);
    }

    /// Returns the length in bytes.
    public int length() {
        return length;
    }

    /// Releases the memory for another message. Idempotent.
    @Override
    public void close() {
        link.release(this);
    }

    private void requireHeld() {
        if (!held) {
            throw new IllegalStateException("the message is closed");
        }
    }

    int slot() {
        return slot;
    }

    boolean isHeld() {
        return held;
    }

    void hold(int received) {
        length = received;
        held = true;
    }

    void letGo() {
        held = false;
    }

    @Override
    public String toString() {
        return "message of " + length + " bytes";
    }
}
