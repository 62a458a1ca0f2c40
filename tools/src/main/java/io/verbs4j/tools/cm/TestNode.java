// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.cm;

import io.verbs4j.AddressHandle;
import io.verbs4j.CompletionQueue;
import io.verbs4j.CompletionQueueOptions;
import io.verbs4j.Context;
import io.verbs4j.GlobalRouteHeader;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.ReceiveBatch;
import io.verbs4j.SendBatch;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.WorkCompletion;
import io.verbs4j.cm.Identifier;
import io.verbs4j.tools.common.ToolException;
import io.verbs4j.types.Access;
import io.verbs4j.types.NodeType;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import java.time.Duration;

/// One connection or datagram service of a test program: a queue pair with its own completion queue and one buffer for
/// all messages. Not thread-safe.
final class TestNode {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final int RECEIVE = 1;
    private static final int SEND = 2;

    private final Identifier identifier;
    private final ProtectionDomain domain;
    private final CompletionQueue queue;
    private final QueuePair queuePair;
    private final MemoryRegion memory;
    private final int messages;
    private final int bytes;
    private final int header;
    private final boolean iwarp;
    private int received;
    private int sent;
    private int sourceQueuePair;

    /// Creates a queue pair in INIT (for connections) or RTS (for datagrams).
    TestNode(Identifier identifier, Context context, int messages, int bytes) {
        this.identifier = identifier;
        this.messages = messages;
        this.bytes = bytes;
        boolean datagrams = identifier.queuePairType() == QueuePairType.UD;
        header = datagrams ? GlobalRouteHeader.BYTES : 0;
        iwarp = context.device().nodeType().equals(NodeType.RNIC);
        domain = context.allocateProtectionDomain();
        queue = context.createCompletionQueue(CompletionQueueOptions.entries(2 * Math.max(1, messages))
                .withChannel(context.createCompletionChannel()));
        memory = domain.allocate(Math.max(1, header + bytes), Access.LOCAL_WRITE);
        queuePair = domain.queuePair(identifier.queuePairType(), queue)
                .maxSends(Math.max(1, messages))
                .maxReceives(Math.max(1, messages))
                .create();
        to(QueuePairState.INIT);
        if (datagrams) {
            toReadyToSend();
        }
    }

    Identifier identifier() {
        return identifier;
    }

    ProtectionDomain domain() {
        return domain;
    }

    QueuePair queuePair() {
        return queuePair;
    }

    /// Returns the source queue pair of the last message. The sender puts it into the immediate data.
    int sourceQueuePair() {
        return sourceQueuePair;
    }

    /// Returns the path back to the sender of a datagram.
    AddressHandle pathBack(int port) {
        return domain.createAddressHandle(GlobalRouteHeader.read(memory.segment(), 0), port);
    }

    private void to(QueuePairState state) {
        queuePair.modify(identifier.attributes(state));
    }

    /// Moves the queue pair to RTS, after the peer's request or answer has arrived. Over iWARP the kernel does this.
    void toReadyToSend() {
        if (!iwarp) {
            to(QueuePairState.INIT);
            to(QueuePairState.RTR);
            to(QueuePairState.RTS);
        }
    }

    void postReceives() {
        try (ReceiveBatch batch = queuePair.beginReceive()) {
            for (int i = 0; i < messages; i++) {
                batch.workRequestId(RECEIVE).receive(memory, 0, header + (long) bytes);
            }
            batch.submit();
        }
    }

    /// Posts all sends.
    ///
    /// @param message a send of the buffer
    void postSends(SendWorkRequest message) {
        try (SendBatch batch = queuePair.beginSend()) {
            for (int i = 0; i < messages; i++) {
                batch.like(message).signaled().workRequestId(SEND).post();
            }
            batch.submit();
        }
    }

    /// Returns a send of the buffer.
    SendWorkRequest message() {
        return new SendWorkRequest().send().local(memory, 0, bytes);
    }

    /// Returns a datagram with the buffer and this queue pair's number, as librdmacm's programs send it.
    SendWorkRequest datagram(AddressHandle handle, int queuePairNumber, int qkey) {
        return message().immediate(queuePair.number()).to(handle, queuePairNumber, qkey);
    }

    void awaitReceives() throws InterruptedException {
        while (received < messages) {
            await();
        }
    }

    void awaitSends() throws InterruptedException {
        while (sent < messages) {
            await();
        }
    }

    private void await() throws InterruptedException {
        if (queue.await(8, this::take, LONG) == 0) {
            throw new ToolException(
                    "the peer is silent: " + received + " messages received, " + sent + " sent",
                    "both sides need the same -c, -C and -S");
        }
    }

    private void take(WorkCompletion completion) {
        if (!completion.isSuccess()) {
            throw new ToolException("work request failed: " + completion);
        }
        if (completion.workRequestId() == SEND) {
            sent++;
            return;
        }
        received++;
        if (completion.hasImmediateData()) {
            sourceQueuePair = completion.immediateData();
        }
    }

    /// Stops the queue pair, and ends the connection or answers the peer's disconnect request.
    void disconnect() {
        queuePair.close();
        identifier.disconnect();
    }
}
