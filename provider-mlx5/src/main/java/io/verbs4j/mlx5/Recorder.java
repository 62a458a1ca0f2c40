// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.mlx5;

import io.verbs4j.spi.SendQueueOps;
import io.verbs4j.spi.SendRequest;
import io.verbs4j.spi.SendTemplate;
import io.verbs4j.spi.ring.OpcodeSet;
import io.verbs4j.types.CompletionOpcode;
import io.verbs4j.types.ScatterGatherList;
import io.verbs4j.types.WorkRequestOpcode;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/// Passes a work request to a queue and keeps what its words do not contain: identifier, flags, operation.
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

    /// Opcode of the completion of a key change.
    static int kind(int opcode) {
        return opcode == WorkRequestOpcode.LOCAL_INVALIDATE
                ? CompletionOpcode.LOCAL_INVALIDATE.value()
                : CompletionOpcode.BIND_MEMORY_WINDOW.value();
    }

    private void note(SendRequest request, boolean copied) {
        opcode = request.opcode();
        identifier = request.workRequestId();
        flags = request.flags();
        data = OpcodeSet.has(Operations.WITH_DATA | Operations.KEY_CHANGES, opcode) ? request.immediateDataOrKey() : 0;
        inline = copied;
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
    public int post(SendRequest request, long address, int length, int lkey) {
        note(request, false);
        return queue.post(request, address, length, lkey);
    }

    @Override
    public int post(SendRequest request, ScatterGatherList list) {
        note(request, false);
        return queue.post(request, list);
    }

    @Override
    public int postInline(SendRequest request, MemorySegment source, long offset, int length) {
        note(request, true);
        return queue.postInline(request, source, offset, length);
    }

    @Override
    public int post(SendRequest request) {
        note(request, false);
        return queue.post(request);
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
    public int postDatagram(SendTemplate template, SendRequest to) {
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
