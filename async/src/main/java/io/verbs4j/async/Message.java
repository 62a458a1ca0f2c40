// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.async;

import io.verbs4j.CompletionHandler;
import io.verbs4j.WorkCompletion;
import java.lang.foreign.MemorySegment;

/// A message that came over a [MessageChannel], in the buffer that it was received into. Closing it lets the peer send another: it must not
/// be used after that.
///
/// The channel has one object for each buffer, and hands it out again and again.
public final class Message implements AutoCloseable, CompletionHandler {
    private final MessageChannel channel;
    private final Lease lease;
    private int length;
    private boolean held;

    Message(MessageChannel channel, Lease lease) {
        this.channel = channel;
        this.lease = lease;
    }

    /// Returns the message's bytes.
    public MemorySegment segment() {
        return lease.segment().asSlice(0, length);
    }

    /// Returns the buffer that the message is in the beginning of, and allocates nothing.
    public MemorySegment buffer() {
        return lease.segment();
    }

    /// Returns the message's length in bytes.
    public int length() {
        return length;
    }

    /// Gives the buffer back to the channel, which receives another message into it. Does nothing if it was called before.
    @Override
    public void close() {
        if (held) {
            held = false;
            channel.consumed(this);
        }
    }

    Lease lease() {
        return lease;
    }

    /// A message, or a grant of credits, has come, or the queue pair has ended. Called by the dispatcher.
    @Override
    public void completed(WorkCompletion completion) {
        if (completion.isSuccess()) {
            length = completion.byteLength();
        }
        channel.received(this, completion);
    }

    void hold() {
        held = true;
    }

    @Override
    public String toString() {
        return "message of " + length + " bytes";
    }
}
