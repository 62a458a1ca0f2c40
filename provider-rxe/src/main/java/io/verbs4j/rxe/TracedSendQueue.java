// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import io.verbs4j.abi.uapi.UverbsObject;
import io.verbs4j.spi.ProviderAddressHandle;
import io.verbs4j.spi.SendQueueOps;
import io.verbs4j.spi.SendTemplate;
import io.verbs4j.types.PostResult;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.ScatterGatherList;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.function.Consumer;

/// A send ring that tells the trace of each batch. Stands in for the ring only if the data path is traced.
final class TracedSendQueue extends SendQueueOps {
    private final SendRing ring;
    private final RingTrace trace;
    private final QueuePairType type;
    private final int number;
    private final String name;
    private int batch;

    /// @param number the queue pair's number
    TracedSendQueue(SendRing ring, RingTrace trace, QueuePairType type, int handle, int number) {
        this.ring = ring;
        this.trace = trace;
        this.type = type;
        this.number = number;
        this.name = "send ring of " + trace.tracer().nameOf(UverbsObject.QP, handle);
    }

    private int count(int result) {
        batch += result == PostResult.POSTED ? 1 : 0;
        return result;
    }

    @Override
    public int capacity() {
        return ring.capacity();
    }

    @Override
    public int maxScatterGather() {
        return ring.maxScatterGather();
    }

    @Override
    public int maxInlineData() {
        return ring.maxInlineData();
    }

    @Override
    public void begin() {
        batch = 0;
        ring.begin();
    }

    @Override
    public int transfer(
            int opcode,
            long workRequestId,
            int flags,
            long localAddress,
            int length,
            int lkey,
            long remoteAddress,
            int rkey,
            int immediateDataOrKey) {
        return count(ring.transfer(
                opcode, workRequestId, flags, localAddress, length, lkey, remoteAddress, rkey, immediateDataOrKey));
    }

    @Override
    public int transfer(
            int opcode,
            long workRequestId,
            int flags,
            ScatterGatherList list,
            long remoteAddress,
            int rkey,
            int immediateDataOrKey) {
        return count(ring.transfer(opcode, workRequestId, flags, list, remoteAddress, rkey, immediateDataOrKey));
    }

    @Override
    public int transferInline(
            int opcode,
            long workRequestId,
            int flags,
            MemorySegment source,
            long offset,
            int length,
            long remoteAddress,
            int rkey,
            int immediateDataOrKey) {
        return count(ring.transferInline(
                opcode, workRequestId, flags, source, offset, length, remoteAddress, rkey, immediateDataOrKey));
    }

    @Override
    public int datagram(
            int opcode,
            long workRequestId,
            int flags,
            long localAddress,
            int length,
            int lkey,
            ProviderAddressHandle addressHandle,
            int remoteQueuePair,
            int remoteQkey,
            int immediateData) {
        return count(ring.datagram(
                opcode,
                workRequestId,
                flags,
                localAddress,
                length,
                lkey,
                addressHandle,
                remoteQueuePair,
                remoteQkey,
                immediateData));
    }

    @Override
    public int datagram(
            int opcode,
            long workRequestId,
            int flags,
            ScatterGatherList list,
            ProviderAddressHandle addressHandle,
            int remoteQueuePair,
            int remoteQkey,
            int immediateData) {
        return count(ring.datagram(
                opcode, workRequestId, flags, list, addressHandle, remoteQueuePair, remoteQkey, immediateData));
    }

    @Override
    public int datagramInline(
            int opcode,
            long workRequestId,
            int flags,
            MemorySegment source,
            long offset,
            int length,
            ProviderAddressHandle addressHandle,
            int remoteQueuePair,
            int remoteQkey,
            int immediateData) {
        return count(ring.datagramInline(
                opcode,
                workRequestId,
                flags,
                source,
                offset,
                length,
                addressHandle,
                remoteQueuePair,
                remoteQkey,
                immediateData));
    }

    @Override
    public int atomic(
            int opcode,
            long workRequestId,
            int flags,
            long localAddress,
            int lkey,
            long remoteAddress,
            int rkey,
            long compareOrAdd,
            long swap) {
        return count(ring.atomic(
                opcode, workRequestId, flags, localAddress, lkey, remoteAddress, rkey, compareOrAdd, swap));
    }

    @Override
    public int atomicWrite(long workRequestId, int flags, long value, long remoteAddress, int rkey) {
        return count(ring.atomicWrite(workRequestId, flags, value, remoteAddress, rkey));
    }

    @Override
    public int flush(
            long workRequestId, int flags, long remoteAddress, int length, int rkey, int type, int level) {
        return count(ring.flush(workRequestId, flags, remoteAddress, length, rkey, type, level));
    }

    @Override
    public int localInvalidate(long workRequestId, int flags, int key) {
        return count(ring.localInvalidate(workRequestId, flags, key));
    }

    @Override
    public int bindMemoryWindow(
            long workRequestId,
            int flags,
            int currentKey,
            int newKey,
            int regionKey,
            long address,
            long length,
            int accessFlags) {
        return count(ring.bindMemoryWindow(
                workRequestId, flags, currentKey, newKey, regionKey, address, length, accessFlags));
    }

    @Override
    public SendTemplate prepare(Consumer<SendQueueOps> encode) {
        return ring.prepare(encode);
    }

    @Override
    public int post(SendTemplate template) {
        return count(ring.post(template));
    }

    @Override
    public int postDatagram(
            SendTemplate template, ProviderAddressHandle addressHandle, int remoteQueuePair, int remoteQkey) {
        return count(ring.postDatagram(template, addressHandle, remoteQueuePair, remoteQkey));
    }

    /// Copies the slots before the kernel can see them, because it works in them.
    @Override
    public int publish() {
        var slots = new RingSlots(ring.segment());
        int from = slots.producer();
        var works = new ArrayList<TracedWork>();
        for (int i = 0; i < batch; i++) {
            int slot = slots.after(from, i);
            works.add(TracedWork.send(trace.tracer(), type, slot, slots.address(slot), slots.copy(slot)));
        }
        batch = 0;
        int count = ring.publish();
        if (!works.isEmpty()) {
            trace.posted(name, false, number, from, slots.producer(), slots.consumer(), works);
        }
        return count;
    }

    @Override
    public void abandon() {
        batch = 0;
        ring.abandon();
    }

    @Override
    public int doorbell() {
        return ring.doorbell();
    }
}
