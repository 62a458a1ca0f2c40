// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AddressHandle;
import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.CompletionQueueOptions;
import io.verbs4j.Context;
import io.verbs4j.MemoryRegion;
import io.verbs4j.PreparedQueuePair;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.QueuePairBuilder;
import io.verbs4j.QueuePairEndpoint;
import io.verbs4j.ReceiveBatch;
import io.verbs4j.RemoteMemory;
import io.verbs4j.SendBatch;
import io.verbs4j.cm.ConnectionOptions;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.types.Access;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// One end of a [ConnectedPair]: all the objects that one peer has, and short ways to use them.
public final class End implements AutoCloseable {
    private static final int COMPLETIONS = 512;

    private final Context context;
    private final ProtectionDomain domain;
    private final @Nullable CompletionChannel channel;
    private final CompletionQueue queue;
    private final MemoryRegion memory;
    private final @Nullable PreparedQueuePair prepared; // not over iWARP
    private final Completions completions;
    private @Nullable QueuePair queuePair;

    private @Nullable RdmaConnection connection;
    private @Nullable AddressHandle pathToPeer;
    private int peerNumber;

    End(
            String device,
            QueuePairType type,
            boolean withChannel,
            UnaryOperator<CompletionQueueOptions> queueOptions,
            long bytes,
            Access[] access,
            UnaryOperator<QueuePairBuilder> builder) {
        context = Rxe.open(device);
        try {
            domain = context.allocateProtectionDomain();
            channel = withChannel ? context.createCompletionChannel() : null;
            var options = queueOptions.apply(CompletionQueueOptions.entries(COMPLETIONS));
            queue = context.createCompletionQueue(channel == null ? options : options.withChannel(channel));
            memory = domain.allocate(bytes, access);
            prepared = device.equals(Siw.LEFT) || device.equals(Siw.RIGHT)
                    ? null
                    : builder.apply(domain.queuePair(type, queue)).prepare();
            completions = new Completions(queue, this::toString);
        } catch (RuntimeException | Error e) {
            context.close();
            throw e;
        }
    }

    /// Returns the endpoint at which the peer finds the queue pair.
    public QueuePairEndpoint endpoint() {
        return prepared().endpoint();
    }

    /// Index of the GID that it speaks from.
    public int gidIndex() {
        return prepared().gidSelection().entry().index();
    }

    private PreparedQueuePair prepared() {
        if (prepared == null) {
            throw new IllegalStateException("over iWARP the connection manager makes the queue pair");
        }
        return prepared;
    }

    /// Returns the options with which the connection manager makes the queue pair.
    public ConnectionOptions options(UnaryOperator<QueuePairBuilder> builder) {
        return ConnectionOptions.defaults()
                .withTimeout(Duration.ofSeconds(60))
                .withSource(Siw.left())
                .withProtectionDomain(domain)
                .withCompletionQueue(queue)
                .withQueuePair(builder::apply);
    }

    void connected(RdmaConnection made) {
        connection = made;
        queuePair = made.queuePair();
    }

    /// The connection, over iWARP.
    public RdmaConnection connection() {
        return Objects.requireNonNull(connection, "connected without the connection manager");
    }

    void connect(QueuePairEndpoint remote, QueuePairType type) {
        if (type == QueuePairType.UD) {
            queuePair = prepared().start();
            pathToPeer = domain.createAddressHandle(AddressVector.roce(1, gidIndex(), remote.gid()));
            peerNumber = remote.queuePairNumber();
        } else {
            queuePair = prepared().connect(remote);
        }
    }

    /// The path of datagrams to the peer.
    public AddressHandle pathToPeer() {
        if (pathToPeer == null) {
            throw new IllegalStateException("not a pair of datagram queue pairs");
        }
        return pathToPeer;
    }

    /// Addresses the next datagram to the peer.
    public SendBatch toPeer(SendBatch batch) {
        return batch.to(pathToPeer(), peerNumber, ConnectedPair.QKEY);
    }

    /// The open device.
    public Context context() {
        return context;
    }

    /// The protection domain.
    public ProtectionDomain domain() {
        return domain;
    }

    /// The completion channel of [ConnectedPair.Builder#withChannels()].
    public CompletionChannel channel() {
        if (channel == null) {
            throw new IllegalStateException("the pair was made without channels");
        }
        return channel;
    }

    /// Returns the queue in which sends and receives complete.
    public CompletionQueue queue() {
        return queue;
    }

    /// Returns what arrived there.
    public Completions completions() {
        return completions;
    }

    /// Registered memory.
    public MemoryRegion memory() {
        return memory;
    }

    /// A part of the registered memory.
    public MemorySegment bytes(long offset, long length) {
        return memory.segment().asSlice(offset, length);
    }

    /// The queue pair, connected.
    public QueuePair queuePair() {
        if (queuePair == null) {
            throw new IllegalStateException("not connected yet");
        }
        return queuePair;
    }

    /// One work request of a batch.
    @FunctionalInterface
    public interface Send {
        /// @return false if the queue is full
        boolean addTo(SendBatch batch);
    }

    /// One receive of a batch.
    @FunctionalInterface
    public interface Receive {
        /// @return false if the queue is full
        boolean addTo(ReceiveBatch batch);
    }

    /// Posts work requests with one doorbell.
    public void post(Send... sends) {
        try (SendBatch batch = queuePair().beginSend()) {
            for (Send send : sends) {
                assertThat(send.addTo(batch)).as("room in the send queue").isTrue();
            }
            assertThat(batch.submit()).isEqualTo(sends.length);
        }
    }

    /// Posts receives.
    public void postReceives(Receive... receives) {
        try (ReceiveBatch batch = queuePair().beginReceive()) {
            for (Receive receive : receives) {
                assertThat(receive.addTo(batch)).as("room in the receive queue").isTrue();
            }
            assertThat(batch.submit()).isEqualTo(receives.length);
        }
    }

    /// Posts one receive into the registered memory.
    public void receive(long workRequestId, long offset, long length) {
        postReceives(batch -> batch.workRequestId(workRequestId).receive(memory, offset, length));
    }

    /// Posts receives of 0 bytes with identifiers from 0.
    public void receiveNothing(int times) {
        for (int id = 0; id < times; id++) {
            receive(id, 0, 0);
        }
    }

    /// Sends a part of the registered memory, visibly.
    public void send(long workRequestId, long offset, long length) {
        post(batch -> (pathToPeer == null ? batch : toPeer(batch))
                .signaled()
                .workRequestId(workRequestId)
                .send()
                .local(memory, offset, length)
                .post());
    }

    /// Waits until all writes of this end are in the peer's memory. Over siw a write completes when it is in flight; a
    /// read returns after earlier writes.
    ///
    /// @param remote memory of the peer that permits reads
    public void settle(RemoteMemory remote) {
        if (Wire.isSiw()) {
            try (MemoryRegion byteOfOurs = domain.allocate(8, Access.LOCAL_WRITE)) {
                post(batch -> batch.signaled().read().local(byteOfOurs, 0, 1).remote(remote).post());
                completions.nextSuccess();
            }
        }
    }

    /// Changes the queue pair's state, and nothing else of it.
    public void modify(QueuePairState state) {
        queuePair().modify(QueuePairAttributes.builder().state(state).build());
    }

    /// Lets the queue pair receive from its peer again after a reset.
    ///
    /// @param former attributes queried before the reset
    /// @param psn sequence number of the next packet
    /// @param rights access rights of the peer
    public void receiveAgain(QueuePairAttributes former, int psn, Access... rights) {
        queuePair()
                .modify(QueuePairAttributes.builder()
                        .state(QueuePairState.INIT)
                        .port(1)
                        .pkeyIndex(0)
                        .access(rights)
                        .build());
        queuePair()
                .modify(QueuePairAttributes.builder()
                        .state(QueuePairState.RTR)
                        .addressVector(former.addressVector())
                        .pathMtu(former.pathMtu())
                        .destinationQueuePairNumber(former.destinationQueuePairNumber())
                        .receivePsn(psn)
                        .maxDestinationReadAtomic(16)
                        .minRnrTimer(12)
                        .build());
    }

    /// Connects the queue pair with its peer again after a reset.
    ///
    /// @param former attributes queried before the reset
    /// @param psn sequence number of the first packet in either direction
    /// @param rights access rights of the peer
    public void connectAgain(QueuePairAttributes former, int psn, Access... rights) {
        receiveAgain(former, psn, rights);
        queuePair()
                .modify(QueuePairAttributes.builder()
                        .state(QueuePairState.RTS)
                        .sendPsn(psn)
                        .timeout(14)
                        .retryCount(6)
                        .rnrRetry(7)
                        .maxReadAtomic(16)
                        .build());
    }

    @Override
    public void close() {
        if (connection != null) {
            connection.close();
        }
        context.close();
    }

    /// Returns what the kernel thinks of the queue pair: for messages of tests that fail.
    @Override
    public String toString() {
        if (queuePair == null || queuePair.isClosed()) {
            return context + ": no open queue pair";
        }
        var now = queuePair.query();
        return context + ": " + queuePair + " in " + now.state() + ", next PSN to send 0x"
                + Integer.toHexString(now.sendPsn()) + ", to receive 0x" + Integer.toHexString(now.receivePsn());
    }
}
