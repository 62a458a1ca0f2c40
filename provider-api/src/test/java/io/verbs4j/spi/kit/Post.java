// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi.kit;

import io.verbs4j.spi.ProviderAddressHandle;
import io.verbs4j.spi.ReceiveQueueOps;
import io.verbs4j.spi.SendQueueOps;
import io.verbs4j.spi.SendRequest;
import io.verbs4j.spi.ring.OpcodeSet;
import io.verbs4j.types.ScatterGatherList;
import io.verbs4j.types.SendFlags;
import io.verbs4j.types.WorkRequestOpcode;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/// A work request whose fields are all derived from a seed: how to post it, and the element that the device must find.
///
/// @param opcode one of [WorkRequestOpcode]
/// @param handle address handle of a datagram
record Post(int opcode, Form form, @Nullable ProviderAddressHandle handle, long id, long seed) {
    /// The form of its payload.
    enum Form {
        BUFFER,
        EMPTY,
        LIST,
        INLINE
    }

    static final int WITH_DATA = OpcodeSet.of(
            WorkRequestOpcode.SEND_WITH_IMMEDIATE,
            WorkRequestOpcode.SEND_WITH_INVALIDATE,
            WorkRequestOpcode.RDMA_WRITE_WITH_IMMEDIATE);
    static final int ATOMICS =
            OpcodeSet.of(WorkRequestOpcode.COMPARE_AND_SWAP, WorkRequestOpcode.FETCH_AND_ADD);
    static final int WITH_REMOTE = ATOMICS
            | OpcodeSet.of(
                    WorkRequestOpcode.RDMA_WRITE,
                    WorkRequestOpcode.RDMA_WRITE_WITH_IMMEDIATE,
                    WorkRequestOpcode.RDMA_READ);
    static final int TRANSFERS =
            WITH_DATA | WITH_REMOTE | OpcodeSet.of(WorkRequestOpcode.SEND);
    private static final int INLINE_BYTES = 32;

    /// Returns all work requests that a device supports: each operation in each form.
    ///
    /// @param operations an [OpcodeSet]
    /// @param inline the operations whose payload may be inline
    static List<Post> each(int operations, int inline, @Nullable ProviderAddressHandle handle, long seed) {
        var posts = new ArrayList<Post>();
        for (int opcode = 0; opcode < Integer.SIZE; opcode++) {
            for (Form form : Form.values()) {
                boolean fits = switch (form) {
                    case BUFFER -> true;
                    case EMPTY -> !OpcodeSet.has(ATOMICS, opcode);
                    case LIST -> !OpcodeSet.has(ATOMICS, opcode) && opcode != WorkRequestOpcode.RDMA_READ;
                    case INLINE -> OpcodeSet.has(inline, opcode);
                };
                if (OpcodeSet.has(operations & TRANSFERS, opcode) && fits) {
                    posts.add(new Post(opcode, form, handle, posts.size(), seed + posts.size()));
                }
            }
        }
        return posts;
    }

    Post with(long newId, long newSeed) {
        return new Post(opcode, form, handle, newId, newSeed);
    }

    private boolean is(int set) {
        return OpcodeSet.has(set, opcode);
    }

    /// Fields in the order in which they are generated.
    private record Fields(
            int flags, int data, long remote, int rkey, long operand, long swap, int destination, int qkey,
            List<Element.Buffer> buffers, byte[] payload) {}

    private Fields fields() {
        var random = new Random(seed);
        int bits = random.nextInt();
        boolean messages = !is(WITH_REMOTE) || opcode == WorkRequestOpcode.RDMA_WRITE_WITH_IMMEDIATE;
        int flags = SendFlags.SIGNALED
                | (messages ? bits & SendFlags.SOLICITED : 0)
                | (opcode == WorkRequestOpcode.RDMA_READ || handle != null ? 0 : bits & SendFlags.FENCE);
        int data = random.nextInt();
        long remote = random.nextLong() & ~7L;
        int rkey = random.nextInt();
        long operand = random.nextLong();
        long swap = random.nextLong();
        int destination = random.nextInt() & 0xffffff;
        int qkey = random.nextInt() & Integer.MAX_VALUE;
        var buffers = new ArrayList<Element.Buffer>();
        int count = form == Form.LIST ? 2 : form == Form.BUFFER ? 1 : 0;
        for (int i = 0; i < count; i++) {
            int length = is(ATOMICS) ? Long.BYTES : 1 + random.nextInt(200);
            buffers.add(new Element.Buffer(random.nextLong(), length, random.nextInt()));
        }
        byte[] payload = new byte[form == Form.INLINE ? 1 + random.nextInt(INLINE_BYTES) : 0];
        random.nextBytes(payload);
        return new Fields(flags, data, remote, rkey, operand, swap, destination, qkey, buffers, payload);
    }

    private SendRequest request(Fields fields) {
        SendRequest request = SendRequest.of(id, fields.flags);
        int carried = is(WITH_DATA) ? fields.data : 0;
        if (is(ATOMICS)) {
            request.operation(opcode)
                    .remote(fields.remote, fields.rkey)
                    .operands(fields.operand, compares() ? fields.swap : 0);
        } else if (is(WITH_REMOTE)) {
            request.operation(opcode).immediateDataOrKey(carried).remote(fields.remote, fields.rkey);
        } else {
            request.operation(opcode).immediateDataOrKey(carried);
        }
        return handle == null ? request : request.to(handle, fields.destination, fields.qkey);
    }

    private boolean compares() {
        return opcode == WorkRequestOpcode.COMPARE_AND_SWAP;
    }

    /// Posts the work request.
    int on(SendQueueOps ops) {
        Fields fields = fields();
        SendRequest request = request(fields);
        return switch (form) {
            case EMPTY -> ops.post(request, 0, 0, 0);
            case BUFFER -> {
                Element.Buffer buffer = fields.buffers.getFirst();
                yield ops.post(request, buffer.address(), buffer.length(), buffer.lkey());
            }
            case LIST -> ops.post(request, list(fields.buffers));
            case INLINE -> ops.postInline(
                    request, MemorySegment.ofArray(fields.payload), 0, fields.payload.length);
        };
    }

    /// Returns the element that the device must find.
    Element expected() {
        Fields fields = fields();
        boolean remote = is(WITH_REMOTE);
        return new Element(
                opcode,
                fields.flags,
                is(WITH_DATA) ? fields.data : 0,
                remote ? fields.remote : 0,
                remote ? fields.rkey : 0,
                is(ATOMICS) ? fields.operand : 0,
                compares() ? fields.swap : 0,
                handle == null ? 0 : fields.destination,
                handle == null ? 0 : fields.qkey,
                fields.buffers,
                HexFormat.of().formatHex(fields.payload));
    }

    /// Posts a receive with its identifier and buffers.
    int receiveOn(ReceiveQueueOps ops) {
        List<Element.Buffer> buffers = fields().buffers;
        return buffers.size() == 1
                ? ops.receive(
                        id, buffers.getFirst().address(), buffers.getFirst().length(), buffers.getFirst().lkey())
                : ops.receive(id, list(buffers));
    }

    Element expectedReceive() {
        return Element.receive(fields().buffers);
    }

    private static ScatterGatherList list(List<Element.Buffer> buffers) {
        var list = new ScatterGatherList();
        buffers.forEach(buffer -> list.add(buffer.address(), buffer.length(), buffer.lkey()));
        return list;
    }
}
