// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.mlx5;

import io.verbs4j.spi.ProviderAddressHandle;
import io.verbs4j.spi.SendQueueOps;
import io.verbs4j.spi.SendTemplate;
import io.verbs4j.types.CompletionOpcode;
import io.verbs4j.types.ScatterGatherList;
import io.verbs4j.types.WorkRequestOpcode;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/// Hands a work request on to a queue and keeps what its words do not tell: identifier, flags, operation.
final class Recorder extends SendQueueOps {
    private final Mlx5SendQueue queue;
    private int opcode;
    private long identifier;
    private int flags;
    private int data;
    private boolean inline;

    Recorder(Mlx5SendQueue queue) {
        this.queue = queue;
    }

    int opcode() {
        return opcode;
    }

    long identifier() {
        return identifier;
    }

    int flags() {
        return flags;
    }

    int data() {
        return data;
    }

    boolean inline() {
        return inline;
    }

    /// The opcode of the completion of what changes a key.
    static int kind(int opcode) {
        return opcode == WorkRequestOpcode.LOCAL_INVALIDATE
                ? CompletionOpcode.LOCAL_INVALIDATE.value()
                : CompletionOpcode.BIND_MEMORY_WINDOW.value();
    }

    private void note(int operation, long id, int bits, int dataOrKey, boolean copied) {
        opcode = operation;
        identifier = id;
        flags = bits;
        data = Limits.has(Limits.WITH_DATA, operation) || kindHasKey(operation) ? dataOrKey : 0;
        inline = copied;
    }

    private static boolean kindHasKey(int operation) {
        return operation == WorkRequestOpcode.LOCAL_INVALIDATE || operation == WorkRequestOpcode.BIND_MEMORY_WINDOW;
    }

    @Override
    public int capacity() {
        return queue.capacity();
    }

    @Override
    public int maxScatterGather() {
        return queue.maxScatterGather();
    }

    @Override
    public int maxInlineData() {
        return queue.maxInlineData();
    }

    @Override
    public void begin() {
        queue.begin();
    }

    @Override
    public int transfer(
            int operation, long id, int bits, long address, int length, int lkey, long remote, int rkey, int value) {
        note(operation, id, bits, value, false);
        return queue.transfer(operation, id, bits, address, length, lkey, remote, rkey, value);
    }

    @Override
    public int transfer(int operation, long id, int bits, ScatterGatherList list, long remote, int rkey, int value) {
        note(operation, id, bits, value, false);
        return queue.transfer(operation, id, bits, list, remote, rkey, value);
    }

    @Override
    public int transferInline(
            int operation,
            long id,
            int bits,
            MemorySegment source,
            long offset,
            int length,
            long remote,
            int rkey,
            int value) {
        note(operation, id, bits, value, true);
        return queue.transferInline(operation, id, bits, source, offset, length, remote, rkey, value);
    }

    @Override
    public int datagram(
            int operation,
            long id,
            int bits,
            long address,
            int length,
            int lkey,
            ProviderAddressHandle handle,
            int number,
            int qkey,
            int value) {
        note(operation, id, bits, value, false);
        return queue.datagram(operation, id, bits, address, length, lkey, handle, number, qkey, value);
    }

    @Override
    public int datagram(
            int operation,
            long id,
            int bits,
            ScatterGatherList list,
            ProviderAddressHandle handle,
            int number,
            int qkey,
            int value) {
        note(operation, id, bits, value, false);
        return queue.datagram(operation, id, bits, list, handle, number, qkey, value);
    }

    @Override
    public int datagramInline(
            int operation,
            long id,
            int bits,
            MemorySegment source,
            long offset,
            int length,
            ProviderAddressHandle handle,
            int number,
            int qkey,
            int value) {
        note(operation, id, bits, value, true);
        return queue.datagramInline(operation, id, bits, source, offset, length, handle, number, qkey, value);
    }

    @Override
    public int atomic(
            int operation,
            long id,
            int bits,
            long address,
            int lkey,
            long remote,
            int rkey,
            long compareOrAdd,
            long swap) {
        note(operation, id, bits, 0, false);
        return queue.atomic(operation, id, bits, address, lkey, remote, rkey, compareOrAdd, swap);
    }

    @Override
    public int atomicWrite(long id, int bits, long value, long remote, int rkey) {
        return queue.atomicWrite(id, bits, value, remote, rkey);
    }

    @Override
    public int flush(long id, int bits, long remote, int length, int rkey, int type, int level) {
        return queue.flush(id, bits, remote, length, rkey, type, level);
    }

    @Override
    public int localInvalidate(long id, int bits, int key) {
        note(WorkRequestOpcode.LOCAL_INVALIDATE, id, bits, key, false);
        return queue.localInvalidate(id, bits, key);
    }

    @Override
    public int bindMemoryWindow(
            long id, int bits, int currentKey, int newKey, int regionKey, long address, long length, int rights) {
        note(WorkRequestOpcode.BIND_MEMORY_WINDOW, id, bits, currentKey, false);
        return queue.bindMemoryWindow(id, bits, currentKey, newKey, regionKey, address, length, rights);
    }

    @Override
    public SendTemplate prepare(Consumer<SendQueueOps> encode) {
        throw new IllegalStateException("a template is made of one work request");
    }

    @Override
    public int post(SendTemplate template) {
        throw new IllegalStateException("a template is made of one work request, not of a template");
    }

    @Override
    public int postDatagram(SendTemplate template, ProviderAddressHandle handle, int number, int qkey) {
        throw new IllegalStateException("a template is made of one work request, not of a template");
    }

    @Override
    public int publish() {
        return queue.publish();
    }

    @Override
    public void abandon() {
        queue.abandon();
    }

    @Override
    public int doorbell() {
        return 0;
    }
}
