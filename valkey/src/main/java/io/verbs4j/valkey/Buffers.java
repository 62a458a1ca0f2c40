// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.valkey;

import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.RemoteMemory;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.types.Access;
import java.lang.foreign.MemorySegment;

/// The registered memory of a connection. It belongs to the connection's protection domain and is freed with it.
///
/// One region contains the memory that only this end uses: control messages, a slot for each receive, and the send
/// buffer. The other region is the receive buffer. The server can access only the receive buffer.
final class Buffers {
    private static final long PAGE = 4096;

    private final MemoryRegion local;
    private final MemoryRegion received;
    private final int messages;
    private final long sendStart;

    private Buffers(ProtectionDomain domain, ValkeyOptions options) {
        messages = options.messages();
        sendStart = (slot(messages) + PAGE - 1) / PAGE * PAGE;
        local = domain.allocate(sendStart + options.sendBytes(), Access.LOCAL_WRITE);
        received = domain.allocate(options.receiveBytes(), Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        ControlMessage.writeAll(
                local.segment(), new RemoteMemory(received.address(), received.length(), received.remoteKey()));
    }

    /// Allocates the memory of a connection whose queue pair is in INIT, and posts all receives.
    static Buffers prepare(RdmaConnection connection, ValkeyOptions options) {
        var buffers = new Buffers(connection.protectionDomain(), options);
        try (var batch = connection.queuePair().beginReceive()) {
            for (int slot = 0; slot < buffers.messages; slot++) {
                batch.workRequestId(slot).receive(buffers.local, buffers.slot(slot), ControlMessage.BYTES);
            }
            batch.submit();
        }
        return buffers;
    }

    /// Reposts the receive of a slot.
    void receive(QueuePair queuePair, int slot) {
        try (var batch = queuePair.beginReceive()) {
            batch.workRequestId(slot).receive(local, slot(slot), ControlMessage.BYTES);
            batch.submit();
        }
    }

    private long slot(int slot) {
        return (long) (ControlMessage.KINDS + slot) * ControlMessage.BYTES;
    }

    /// Returns the buffer of a receive.
    MemorySegment message(int slot) {
        return local.segment().asSlice(slot(slot), ControlMessage.BYTES);
    }

    MemoryRegion local() {
        return local;
    }

    /// Returns the offset of a control message in [#local()].
    long control(int opcode) {
        return (long) opcode * ControlMessage.BYTES;
    }

    /// Returns the offset of a byte of the send buffer in [#local()].
    long sendBuffer(long offset) {
        return sendStart + offset;
    }

    MemorySegment sendBuffer() {
        return local.segment().asSlice(sendStart);
    }

    MemorySegment receiveBuffer() {
        return received.segment();
    }
}
