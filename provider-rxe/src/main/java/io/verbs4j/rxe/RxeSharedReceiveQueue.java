// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import io.verbs4j.abi.CommandChannel;
import io.verbs4j.abi.CreateSharedReceiveQueue;
import io.verbs4j.abi.DestroySharedReceiveQueue;
import io.verbs4j.abi.DriverData;
import io.verbs4j.abi.ModifySharedReceiveQueue;
import io.verbs4j.abi.QuerySharedReceiveQueue;
import io.verbs4j.abi.uapi.UverbsObject;
import io.verbs4j.spi.ProviderSharedReceiveQueue;
import io.verbs4j.spi.ReceiveQueueOps;
import io.verbs4j.spi.SharedReceiveQueueRequest;
import io.verbs4j.types.RingReading;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// A shared receive queue and its ring.
final class RxeSharedReceiveQueue extends ProviderSharedReceiveQueue {
    private final CommandChannel channel;
    private final int handle;
    private final int number;
    private final ReceiveRing ring;
    private MappedRing mapping;
    /// Who looks at the ring does so without a lock.
    private volatile RingSlots slots;

    private RxeSharedReceiveQueue(
            CommandChannel channel,
            int handle,
            int number,
            int maxScatterGather,
            MappedRing mapping,
            @Nullable RingTrace trace) {
        this.channel = channel;
        this.handle = handle;
        this.number = number;
        this.mapping = mapping;
        String name = "shared receive queue";
        this.ring = trace == null
                ? new ReceiveRing(mapping.segment(), maxScatterGather, name)
                : new TracedReceiveRing(
                        mapping.segment(),
                        maxScatterGather,
                        name,
                        trace,
                        trace.tracer().nameOf(UverbsObject.SRQ, handle),
                        0);
        this.slots = ring.slots();
    }

    /// Creates a queue and maps its ring. If anything fails, nothing of it stays.
    static RxeSharedReceiveQueue create(
            CommandChannel channel, SharedReceiveQueueRequest request, @Nullable RingTrace trace) {
        try (
                Arena arena = Arena.ofConfined();
                var cleanup = new Cleanup()) {
            MemorySegment answer = arena.allocate(RxeCreateSrqResp.LAYOUT);
            CreateSharedReceiveQueue.Response response = CreateSharedReceiveQueue.execute(
                    channel,
                    new CreateSharedReceiveQueue.Request(
                            request.domain().handle(),
                            request.userHandle(),
                            request.maxWorkRequests(),
                            request.maxScatterGather(),
                            request.limit()),
                    DriverData.out(answer));
            int handle = response.handle();
            cleanup.add(() -> DestroySharedReceiveQueue.execute(channel, handle));
            MappedRing mapping = MappedRing.map(channel, RxeMminfo.read(answer, 0));
            cleanup.add(mapping::close);
            int number = (int) RxeCreateSrqResp.SRQ_NUM.get(answer, 0L);
            var queue = new RxeSharedReceiveQueue(channel, handle, number, response.maxScatterGather(), mapping, trace);
            cleanup.keep();
            return queue;
        }
    }

    @Override
    public int handle() {
        return handle;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public ReceiveQueueOps receiveOps() {
        return ring;
    }

    @Override
    public @Nullable RingReading readRing() {
        return slots.read(RxeRecvWqe.STRUCT.offset("wr_id"));
    }

    /// As with a completion queue the kernel moves the waiting receives to another ring
    /// ([RxeCompletionQueue#resize(int)]). An open batch is forgotten.
    @Override
    public void resize(int maxWorkRequests) {
        try (
                Arena arena = Arena.ofConfined();
                var cleanup = new Cleanup()) {
            MemorySegment info = arena.allocate(RxeMminfo.LAYOUT);
            modify(arena, info, ModifySharedReceiveQueue.MAX_WORK_REQUESTS, maxWorkRequests, 0);
            cleanup.add(() -> ring.lose("the shared receive queue has lost its ring: a resize did not get to the end"));
            MappedRing resized = MappedRing.map(channel, RxeMminfo.read(info, 0));
            cleanup.add(resized::close);
            ring.remap(resized.segment());
            cleanup.keep();
            MappedRing former = mapping;
            mapping = resized;
            slots = ring.slots();
            former.close();
        }
    }

    @Override
    public void armLimit(int limit) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment info = arena.allocate(RxeMminfo.LAYOUT);
            modify(arena, info, ModifySharedReceiveQueue.LIMIT, 0, limit);
        }
    }

    /// Sends the command with the address that the kernel writes a new ring's place to. It wants the address even if
    /// there will be no new ring.
    private void modify(Arena arena, MemorySegment info, int mask, int maxWorkRequests, int limit) {
        MemorySegment command = arena.allocate(RxeModifySrqCmd.LAYOUT);
        RxeModifySrqCmd.MMAP_INFO_ADDR.set(command, 0L, info.address());
        ModifySharedReceiveQueue.execute(channel, handle, mask, maxWorkRequests, limit, DriverData.in(command));
    }

    @Override
    public Attributes query() {
        QuerySharedReceiveQueue.Response response = QuerySharedReceiveQueue.execute(channel, handle);
        return new Attributes(response.maxWorkRequests(), response.maxScatterGather(), response.limit());
    }

    @Override
    public int destroy() {
        int events = DestroySharedReceiveQueue.execute(channel, handle);
        ring.lose("the shared receive queue is destroyed");
        mapping.close();
        return events;
    }
}
