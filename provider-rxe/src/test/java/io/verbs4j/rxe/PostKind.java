// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static io.verbs4j.types.SendFlags.INLINE;
import static io.verbs4j.types.WorkRequestOpcode.ATOMIC_WRITE;
import static io.verbs4j.types.WorkRequestOpcode.BIND_MEMORY_WINDOW;
import static io.verbs4j.types.WorkRequestOpcode.COMPARE_AND_SWAP;
import static io.verbs4j.types.WorkRequestOpcode.FETCH_AND_ADD;
import static io.verbs4j.types.WorkRequestOpcode.FLUSH;
import static io.verbs4j.types.WorkRequestOpcode.LOCAL_INVALIDATE;
import static io.verbs4j.types.WorkRequestOpcode.RDMA_READ;
import static io.verbs4j.types.WorkRequestOpcode.RDMA_WRITE;
import static io.verbs4j.types.WorkRequestOpcode.RDMA_WRITE_WITH_IMMEDIATE;
import static io.verbs4j.types.WorkRequestOpcode.SEND;
import static io.verbs4j.types.WorkRequestOpcode.SEND_WITH_IMMEDIATE;
import static io.verbs4j.types.WorkRequestOpcode.SEND_WITH_INVALIDATE;

import io.verbs4j.spi.ReceiveQueueOps;
import io.verbs4j.spi.SendQueueOps;
import io.verbs4j.spi.SendRequest;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.ScatterGatherList;
import io.verbs4j.types.SendFlags;
import io.verbs4j.types.WorkRequestOpcode;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.function.UnaryOperator;

/// The kinds of posts, each implemented twice: by the provider, and by the independent encoder.
enum PostKind {
    TRANSFER,
    TRANSFER_LIST,
    TRANSFER_INLINE,
    DATAGRAM,
    DATAGRAM_LIST,
    DATAGRAM_INLINE,
    ATOMIC,
    ATOMIC_WRITE_8,
    FLUSH_RANGE,
    INVALIDATE,
    BIND;

    private static final List<Integer> TRANSFERS = List.of(
            SEND, SEND_WITH_IMMEDIATE, RDMA_WRITE, RDMA_WRITE_WITH_IMMEDIATE, RDMA_READ, SEND_WITH_INVALIDATE);
    private static final Set<Integer> WITH_IMMEDIATE = Set.of(SEND_WITH_IMMEDIATE, RDMA_WRITE_WITH_IMMEDIATE);
    private static final Set<Integer> UNRELIABLE =
            Set.of(SEND, SEND_WITH_IMMEDIATE, RDMA_WRITE, RDMA_WRITE_WITH_IMMEDIATE);

    /// The number of the target's address handle.
    static final int ADDRESS_HANDLE = 7;

    /// One post.
    ///
    /// @param choice selects the opcode
    /// @param elements number of buffers, for kinds that have some
    /// @param length bytes of an inline payload, or of each buffer
    /// @param seed determines all other values
    record Post(PostKind kind, int choice, int elements, int length, long seed) {}

    /// The ring for the posts.
    record Target(
            SendQueueOps ops, QueuePairType type, int maxElements, int maxInline, RxeAddressHandle addressHandle) {}

    /// A prepared post.
    ///
    /// @param legal whether it must be accepted
    record Attempt(boolean legal, IntSupplier post, UnaryOperator<byte[]> encoder) {
        int run() {
            return post.getAsInt();
        }

        byte[] encode(byte[] before) {
            return encoder.apply(before);
        }
    }

    private boolean fits(QueuePairType type) {
        return switch (this) {
            case TRANSFER, TRANSFER_LIST, TRANSFER_INLINE -> type != QueuePairType.UD;
            case DATAGRAM, DATAGRAM_LIST, DATAGRAM_INLINE -> type == QueuePairType.UD;
            case ATOMIC, ATOMIC_WRITE_8, FLUSH_RANGE, INVALIDATE -> type == QueuePairType.RC;
            case BIND -> type != QueuePairType.UD;
        };
    }

    Attempt attempt(Target target, Post post, long id) {
        PostKind kind = target.type == QueuePairType.UD ? this : connected();
        return kind.plain(target, post, id);
    }

    /// The same on a queue pair whose messages have no destinations.
    private PostKind connected() {
        return switch (this) {
            case DATAGRAM -> TRANSFER;
            case DATAGRAM_LIST -> TRANSFER_LIST;
            case DATAGRAM_INLINE -> TRANSFER_INLINE;
            default -> this;
        };
    }

    private Attempt plain(Target target, Post post, long id) {
        return switch (this) {
            case TRANSFER, TRANSFER_LIST, TRANSFER_INLINE -> transfer(target, post, id);
            case DATAGRAM, DATAGRAM_LIST, DATAGRAM_INLINE -> datagram(target, post, id);
            default -> other(target, post, id);
        };
    }

    private Attempt transfer(Target target, Post post, long id) {
        var random = new Random(post.seed);
        int opcode = TRANSFERS.get(post.choice % TRANSFERS.size());
        int flags = flags(random);
        long remote = random.nextLong();
        int rkey = random.nextInt();
        int extra = random.nextInt();
        SendQueueOps ops = target.ops;
        boolean fits = fits(target.type) && (target.type == QueuePairType.RC || UNRELIABLE.contains(opcode));
        if (this == TRANSFER_INLINE) {
            byte[] payload = payload(random, post.length);
            return new Attempt(
                    fits && opcode != RDMA_READ && post.length <= target.maxInline,
                    () -> ops.postInline(SendRequest.of(id, flags)
                            .operation(opcode)
                            .immediateDataOrKey(extra)
                            .remote(remote, rkey),
                            MemorySegment.ofArray(payload), 0, payload.length),
                    before -> ex(Wqe.send(before, opcode, id, flags | INLINE), opcode, extra)
                            .remote(remote, rkey)
                            .inline(payload)
                            .bytes());
        }
        ScatterGatherList list = list(random, this == TRANSFER ? 1 : post.elements, post.length);
        boolean legal = fits && list.size() <= target.maxElements;
        IntSupplier call = this == TRANSFER
                ? () -> ops.post(SendRequest.of(id, flags)
                        .operation(opcode)
                        .immediateDataOrKey(extra)
                        .remote(remote, rkey), list.address(0),
                        list.length(0), list.lkey(0))
                : () -> ops.post(SendRequest.of(id, flags)
                        .operation(opcode)
                        .immediateDataOrKey(extra)
                        .remote(remote, rkey), list);
        return new Attempt(
                legal,
                call,
                before -> elements(
                        ex(Wqe.send(before, opcode, id, flags), opcode, extra).remote(remote, rkey),
                        list,
                        this == TRANSFER).bytes());
    }

    private Attempt datagram(Target target, Post post, long id) {
        var random = new Random(post.seed);
        int opcode = TRANSFERS.get(post.choice % TRANSFERS.size());
        int flags = flags(random);
        int remote = random.nextInt(1 << 24);
        int qkey = random.nextInt();
        int extra = random.nextInt();
        SendQueueOps ops = target.ops;
        boolean fits = fits(target.type) && (opcode == SEND || opcode == SEND_WITH_IMMEDIATE);
        if (this == DATAGRAM_INLINE) {
            byte[] payload = payload(random, post.length);
            return new Attempt(
                    fits && post.length <= target.maxInline,
                    () -> ops.postInline(
                            SendRequest.of(id, flags)
                                    .operation(opcode)
                                    .immediateDataOrKey(extra)
                                    .to(target.addressHandle, remote, qkey),
                            MemorySegment.ofArray(payload), 0, payload.length),
                    before -> ex(Wqe.send(before, opcode, id, flags | INLINE), opcode, extra)
                            .datagram(remote, qkey, ADDRESS_HANDLE)
                            .inline(payload)
                            .bytes());
        }
        ScatterGatherList list = list(random, this == DATAGRAM ? 1 : post.elements, post.length);
        boolean legal = fits && list.size() <= target.maxElements && list.totalLength() <= FakeDevice.MTU;
        IntSupplier call = this == DATAGRAM
                ? () -> ops.post(
                        SendRequest.of(id, flags)
                                .operation(opcode)
                                .immediateDataOrKey(extra)
                                .to(target.addressHandle, remote, qkey),
                        list.address(0), list.length(0), list.lkey(0))
                : () -> ops.post(
                        SendRequest.of(id, flags)
                                .operation(opcode)
                                .immediateDataOrKey(extra)
                                .to(target.addressHandle, remote, qkey),
                        list);
        return new Attempt(
                legal,
                call,
                before -> elements(
                        ex(Wqe.send(before, opcode, id, flags), opcode, extra).datagram(remote, qkey, ADDRESS_HANDLE),
                        list,
                        this == DATAGRAM).bytes());
    }

    private Attempt other(Target target, Post post, long id) {
        var random = new Random(post.seed);
        int flags = flags(random);
        long remote = random.nextLong() & ~7L;
        long local = random.nextLong();
        int key = random.nextInt();
        int rkey = random.nextInt();
        long first = random.nextLong();
        long second = random.nextLong();
        SendQueueOps ops = target.ops;
        boolean legal = fits(target.type);
        return switch (this) {
            case ATOMIC -> {
                int opcode = (post.choice & 1) == 0 ? COMPARE_AND_SWAP : FETCH_AND_ADD;
                yield new Attempt(
                        legal,
                        () -> ops.post(SendRequest.of(id, flags)
                                .operation(opcode)
                                .remote(remote, rkey)
                                .operands(first, second), local,
                                Long.BYTES, key),
                        before -> Wqe.send(before, opcode, id, flags)
                                .atomic(remote, rkey, first, second)
                                .sendElement(local, 8, key)
                                .bytes());
            }
            case ATOMIC_WRITE_8 -> new Attempt(
                    legal,
                    () -> ops.post(
                            SendRequest.of(id, flags)
                                    .operation(WorkRequestOpcode.ATOMIC_WRITE)
                                    .remote(remote, rkey)
                                    .operands(first, 0)),
                    before -> Wqe.send(before, ATOMIC_WRITE, id, flags)
                            .remote(remote, rkey)
                            .inline(ByteBuffer.allocate(8)
                                    .order(ByteOrder.LITTLE_ENDIAN)
                                    .putLong(first)
                                    .array())
                            .bytes());
            case FLUSH_RANGE -> {
                int type = 1 + post.choice % 3;
                int level = (int) (post.seed & 1);
                yield new Attempt(
                        legal,
                        () -> ops.post(SendRequest.of(id, flags)
                                .operation(WorkRequestOpcode.FLUSH)
                                .remote(remote, rkey)
                                .flush(post.length, type, level)),
                        before -> Wqe.send(before, FLUSH, id, flags)
                                .flush(remote, post.length, rkey, type, level)
                                .bytes());
            }
            case INVALIDATE -> new Attempt(
                    legal,
                    () -> ops.post(SendRequest.of(id, flags)
                            .operation(WorkRequestOpcode.LOCAL_INVALIDATE)
                            .immediateDataOrKey(rkey)),
                    before -> Wqe.send(before, LOCAL_INVALIDATE, id, flags)
                            .invalidate(rkey)
                            .bytes());
            default -> {
                int newKey = rkey & ~0xff | post.choice & 0xff;
                yield new Attempt(
                        legal,
                        () -> ops.post(SendRequest.of(id, flags)
                                .operation(WorkRequestOpcode.BIND_MEMORY_WINDOW)
                                .immediateDataOrKey(rkey)
                                .window(newKey, key, local, first)
                                .access(post.length)),
                        before -> Wqe.send(before, BIND_MEMORY_WINDOW, id, flags)
                                .window(local, first, key, rkey, newKey, post.length)
                                .bytes());
            }
        };
    }

    /// A receive; with one buffer, by the method for that.
    static Attempt receive(ReceiveQueueOps ops, int maxElements, int elements, long id, long seed) {
        ScatterGatherList list = list(new Random(seed), elements, 1 << 16);
        IntSupplier call = elements == 1
                ? () -> ops.receive(id, list.address(0), list.length(0), list.lkey(0))
                : () -> ops.receive(id, list);
        return new Attempt(elements <= maxElements, call, before -> {
            Wqe wqe = Wqe.receive(before, id);
            for (int i = 0; i < list.size(); i++) {
                wqe.receiveElement(list.address(i), list.length(i), list.lkey(i));
            }
            return wqe.bytes();
        });
    }

    private static int flags(Random random) {
        return random.nextInt() & SendFlags.CALLER_FLAGS;
    }

    private static byte[] payload(Random random, int length) {
        byte[] payload = new byte[length];
        random.nextBytes(payload);
        return payload;
    }

    /// Buffers of at least one byte each.
    private static ScatterGatherList list(Random random, int elements, int bytes) {
        var list = new ScatterGatherList();
        for (int i = 0; i < elements; i++) {
            list.add(random.nextLong(), Math.max(bytes, 1), random.nextInt());
        }
        return list;
    }

    private static Wqe ex(Wqe wqe, int opcode, int value) {
        return WITH_IMMEDIATE.contains(opcode) ? wqe.immediate(value) : wqe.invalidate(value);
    }

    private static Wqe elements(Wqe wqe, ScatterGatherList list, boolean first) {
        for (int i = 0; i < (first ? 1 : list.size()); i++) {
            wqe.sendElement(list.address(i), list.length(i), list.lkey(i));
        }
        return wqe;
    }
}
