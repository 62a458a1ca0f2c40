// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

import io.verbs4j.AddressHandle;
import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.CompletionQueueOptions;
import io.verbs4j.Context;
import io.verbs4j.GlobalRouteHeader;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.QueuePairBuilder;
import io.verbs4j.ReceiveBatch;
import io.verbs4j.RemoteMemory;
import io.verbs4j.SendBatch;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.tools.common.ToolException;
import io.verbs4j.types.Access;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.QueuePairType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The verbs objects of one end: queue pairs, a completion queue, and a memory region. The region has two areas per
/// queue pair, one for sending and one for receiving. Not thread-safe.
final class PerfLink implements AutoCloseable {
    /// Marks the work request identifier of a receive. The lower half is the index of the queue pair.
    static final long RECEIVE = 1L << 32;

    private static final int PAGE_BYTES = 4096;

    private final PerfPlan plan;
    private final Context context;
    private final ProtectionDomain domain;
    private final @Nullable CompletionChannel channel;
    private final CompletionQueue queue;
    private final MemoryRegion memory;
    private final long area;
    private final int reads;
    private final PerfPairs connection;
    private List<QueuePair> pairs = List.of();
    private final List<RemoteMemory> remotes = new ArrayList<>();
    private final List<PerfAddress> peers = new ArrayList<>();
    /// Work requests by index of the queue pair.
    private final List<SendWorkRequest> work = new ArrayList<>();
    private @Nullable AddressHandle handle;

    /// @param cycle minimum size of an area in bytes, because the peer may place small messages anywhere in it
    PerfLink(PerfPlan plan, Context context, PerfPairs.Factory factory, int cycle) {
        this.plan = plan;
        this.context = context;
        this.area = areaBytes(plan.largestSize(), cycle);
        this.reads = plan.test().operation().isFetching() ? context.attributes().maxQueuePairReadAtomic() : 1;
        int max = context.attributes().maxQueuePairWorkRequests();
        if (Math.max(plan.sendDepth(), plan.receiveDepth()) > max) {
            throw new ToolException(
                    plan.sendDepth() + " sends or " + plan.receiveDepth()
                            + " receives exceed the limit of a queue pair of "
                            + context.device().name() + ": " + max,
                    "set smaller numbers with -t or -r");
        }
        long completions = plan.queuePairs() * ((long) plan.sendDepth() + plan.receiveDepth()) + 1;
        if (completions > context.attributes().maxCompletionQueueEntries()) {
            throw new ToolException(
                    plan.queuePairs() + " queue pairs with " + plan.sendDepth() + " sends and " + plan.receiveDepth()
                            + " receives exceed the limit of a completion queue of " + context.device().name()
                            + ": "
                            + context.attributes().maxCompletionQueueEntries(),
                    "set smaller numbers with -q, -t or -r");
        }
        try {
            domain = context.allocateProtectionDomain();
            channel = plan.events() ? context.createCompletionChannel() : null;
            var options = CompletionQueueOptions.entries((int) completions).withSingleThread();
            queue = context.createCompletionQueue(channel == null ? options : options.withChannel(channel));
            memory = allocate(domain, 2 * area * plan.queuePairs());
            connection = factory.create(domain, this::builder, reads);
        } catch (RuntimeException | Error e) {
            context.close();
            throw e;
        }
    }

    /// Returns the size of an area: whole pages for a message of the largest size and the header before it.
    ///
    /// @param cycle minimum size in bytes
    static long areaBytes(int largestSize, int cycle) {
        return Math.ceilDiv(Math.max((long) largestSize + GlobalRouteHeader.BYTES, cycle), PAGE_BYTES) * PAGE_BYTES;
    }

    private static MemoryRegion allocate(ProtectionDomain domain, long bytes) {
        try {
            return domain.allocate(
                    bytes, Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC);
        } catch (OutOfMemoryError e) {
            throw new ToolException(
                    "the JVM cannot allocate the " + bytes + " bytes of memory for all messages",
                    "set a smaller size with -s or -q, or a larger limit with"
                            + " VERBS4J_JAVA_OPTIONS=-XX:MaxDirectMemorySize=…");
        }
    }

    private void requireInline(QueuePairBuilder builder) {
        try {
            builder.maxInlineData(plan.inline());
        } catch (IllegalArgumentException e) {
            throw new ToolException(
                    context.device().name() + " has no room for " + plan.inline() + " bytes inline: " + e.getMessage(),
                    "set a smaller size with -I");
        }
    }

    private QueuePairBuilder builder() {
        var builder = domain.queuePair(plan.connection(), queue)
                .maxSends(plan.sendDepth())
                .maxReceives(Math.max(1, plan.receiveDepth()))
                .maxSendScatterGather(1)
                .maxReceiveScatterGather(1)
                .singleThreaded();
        requireInline(builder);
        return builder;
    }

    PerfPlan plan() {
        return plan;
    }

    CompletionQueue queue() {
        return queue;
    }

    MemoryRegion memory() {
        return memory;
    }

    String device() {
        return context.device().name();
    }

    int gidIndex() {
        return connection.gid().index();
    }

    int outstandingReads() {
        return reads;
    }

    /// Returns the address of a queue pair, for the peer.
    PerfAddress address(int pair) {
        RemoteMemory region = memory.remote();
        return new PerfAddress(
                connection.lid(),
                reads,
                connection.number(pair),
                connection.packetSequenceNumber(pair),
                region.remoteKey(),
                region.address() + receiveArea(pair),
                connection.gid().gid());
    }

    /// Connects all queue pairs to the peer's.
    void connect(List<PerfAddress> addresses) {
        for (PerfAddress peer : addresses) {
            peers.add(peer);
            remotes.add(new RemoteMemory(peer.memory(), area, peer.remoteKey()));
        }
        pairs = connection.connect(addresses);
        if (plan.connection() == QueuePairType.UD) {
            var own = connection.gid();
            handle = domain.createAddressHandle(
                    AddressVector.roce(own.port(), own.index(), peers.getFirst().gid()));
        }
        for (int pair = 0; pair < pairs.size(); pair++) {
            work.add(work(pair));
        }
    }

    /// Returns the offset of a queue pair's area for sending.
    long sendArea(int pair) {
        return pair * area;
    }

    /// Returns the offset of a queue pair's area for receiving, which the peer also writes and reads.
    long receiveArea(int pair) {
        return (plan.queuePairs() + pair) * area;
    }

    /// Posts receives on a queue pair.
    void receive(int pair, int size, int count) {
        int length = plan.connection() == QueuePairType.UD ? size + GlobalRouteHeader.BYTES : size;
        try (ReceiveBatch batch = pairs.get(pair).beginReceive()) {
            for (int i = 0; i < count; i++) {
                if (!batch.workRequestId(RECEIVE | pair).receive(memory, receiveArea(pair), length)) {
                    throw new ToolException("Couldn't post recv: the receive queue is full");
                }
            }
            batch.submit();
        }
    }

    /// Starts a batch of sends.
    SendBatch begin(int pair) {
        return pairs.get(pair).beginSend();
    }

    /// Adds one work request of the test to a batch.
    void add(SendBatch batch, int pair, int size, boolean signaled) {
        batch.like(work.get(pair));
        if (signaled) {
            batch.signaled();
        }
        if (size <= plan.inline() && !plan.test().operation().isFetching()) {
            batch.inline(memory.segment(), sendArea(pair), size);
        } else {
            batch.local(memory, sendArea(pair), plan.test().operation() == Operation.ATOMIC ? Long.BYTES : size);
        }
        if (!batch.post()) {
            throw new ToolException("Couldn't post send: the send queue is full");
        }
    }

    /// Returns the work request of the test, without its local memory.
    private SendWorkRequest work(int pair) {
        var request = new SendWorkRequest().workRequestId(pair);
        RemoteMemory remote = remotes.get(pair);
        return switch (plan.test().operation()) {
            case SEND -> handle == null
                    ? request.send()
                    : request.send().to(handle, peers.get(pair).queuePairNumber(), connection.qkey());
            case WRITE -> request.write().remote(remote);
            case READ -> request.read().remote(remote);
            case ATOMIC -> request.fetchAndAdd(1).remote(remote);
        };
    }

    /// Closes the device with all its objects.
    @Override
    public void close() {
        context.close();
    }
}
