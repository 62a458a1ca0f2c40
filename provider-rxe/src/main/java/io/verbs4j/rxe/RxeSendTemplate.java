// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static io.verbs4j.abi.os.RawMemory.ADDRESSES;
import static io.verbs4j.abi.os.RawMemory.ALL;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.verbs4j.spi.SendQueueOps;
import io.verbs4j.spi.SendTemplate;
import io.verbs4j.types.SendFlags;
import io.verbs4j.types.WorkRequestOpcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.function.Consumer;

/// A send WQE kept in an array, to be changed there and copied into slots. It is encoded by the methods of [SendRing]
/// themselves, in a ring of one element that no kernel sees.
///
/// A post stores whole words, so fields that only the kernel uses and that share a word with one of ours become 0;
/// [RxeSendWqe] says why that is as good as leaving them. The words in between are not touched.
///
/// An array and not a segment on the heap: the compiler would then find two kinds of segment wherever the JDK reads and
/// writes them, and make all posts slower.
final class RxeSendTemplate extends SendTemplate {
    private static final VarHandle INT = view(int[].class, ByteOrder.nativeOrder());
    private static final VarHandle LONG = view(long[].class, ByteOrder.nativeOrder());
    private static final VarHandle NETWORK_INT = view(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle WORD = JAVA_LONG.varHandle().withInvokeExactBehavior();

    private static final int WR_ID = RxeSendWqe.offset("wr.wr_id");
    private static final int OPCODE = RxeSendWqe.offset("wr.opcode");
    private static final int SEND_FLAGS = RxeSendWqe.offset("wr.send_flags");
    private static final int IMMEDIATE_OR_KEY = RxeSendWqe.offset("wr.ex");

    /// In the same place whatever the operation.
    private static final int REMOTE_ADDR = RxeSendWqe.offset("wr.wr.rdma.remote_addr");

    private static final int RDMA_RKEY = RxeSendWqe.offset("wr.wr.rdma.rkey");
    private static final int FLUSH_RKEY = RxeSendWqe.offset("wr.wr.flush.rkey");
    private static final int ATOMIC_RKEY = RxeSendWqe.offset("wr.wr.atomic.rkey");
    private static final int ATOMIC_COMPARE_ADD = RxeSendWqe.offset("wr.wr.atomic.compare_add");
    private static final int ATOMIC_SWAP = RxeSendWqe.offset("wr.wr.atomic.swap");
    private static final int IOVA = RxeSendWqe.offset("iova");
    private static final int DMA_LENGTH = RxeSendWqe.offset("dma.length");
    private static final int DMA_CUR_SGE = RxeSendWqe.offset("dma.cur_sge");
    private static final int DMA_NUM_SGE = RxeSendWqe.offset("dma.num_sge");
    private static final int PAYLOAD = (int) RxeSendWqe.PAYLOAD;

    /// End of what a post always stores: one scatter/gather element, for which each slot has room.
    private static final int HEAD = (int) RxeSendWqe.ONE_ELEMENT;

    // Where the three runs of words begin that a post always stores: the request up to the end of its longest operation;
    // status, state and iova; from has_rd_atomic, which shares its word with ssn, to the end of the head.
    private static final int REQUEST = 0;
    private static final int PROGRESS = RxeSendWqe.offset("status");
    private static final int TRANSFER = RxeSendWqe.offset("ssn");

    private final SendRing ring;
    private final SendLimits limits;
    private final int opcode;
    private final boolean inline;
    private final byte[] wqe;

    /// Length of the message.
    private int length;

    /// Bytes behind [#HEAD] that belong to the payload.
    private int tail;

    private RxeSendTemplate(SendRing ring, SendLimits limits, MemorySegment encoded) {
        this.ring = ring;
        this.limits = limits;
        this.wqe = encoded.toArray(JAVA_BYTE);
        this.opcode = (int) INT.get(wqe, OPCODE);
        this.inline = ((int) INT.get(wqe, SEND_FLAGS) & SendFlags.INLINE) != 0;
        this.length = (int) INT.get(wqe, DMA_LENGTH);
        this.tail = tail(inline ? length : (int) INT.get(wqe, DMA_NUM_SGE) * (int) RxeSge.BYTES);
    }

    private static VarHandle view(Class<?> type, ByteOrder order) {
        return MethodHandles.byteArrayViewVarHandle(type, order).withInvokeExactBehavior();
    }

    /// Encodes one.
    ///
    /// @param ring the ring that it is for
    static RxeSendTemplate encode(SendRing ring, SendLimits limits, int maxDatagram, Consumer<SendQueueOps> encode) {
        int shift = Long.SIZE - Long.numberOfLeadingZeros(SendRing.elementBytes(limits) - 1);
        MemorySegment memory = Arena.ofAuto().allocate(RxeQueueBuf.DATA + (2L << shift), Long.BYTES);
        RxeQueueBuf.LOG2_ELEM_SIZE.set(memory, 0L, shift);
        RxeQueueBuf.INDEX_MASK.set(memory, 0L, 1);
        var scratch = new SendRing(memory, limits, maxDatagram, () -> 0);
        encode.accept(scratch);
        if (scratch.publish() != 1) {
            throw new IllegalStateException("a template is made of one work request");
        }
        return new RxeSendTemplate(ring, limits, memory.asSlice(RxeQueueBuf.DATA, 1L << shift));
    }

    /// Whether it is for this ring.
    @SuppressWarnings("ReferenceEquality") // a ring is only itself
    boolean isFor(SendRing other) {
        return ring == other;
    }

    int opcode() {
        return opcode;
    }

    /// Length of the message.
    int length() {
        return length;
    }

    @Override
    public void workRequestId(long id) {
        LONG.set(wqe, WR_ID, id);
    }

    @Override
    public void flags(int flags) {
        if ((flags & ~SendFlags.CALLER_FLAGS) != 0) {
            throw Refusals.plain(limits, opcode, flags, true);
        }
        INT.set(wqe, SEND_FLAGS, inline ? flags | SendFlags.INLINE : flags);
    }

    @Override
    public void local(long address, int bytes, int lkey) {
        boolean atomic = SendOpcodes.has(SendOpcodes.ATOMICS, opcode);
        if (inline || !(atomic || SendOpcodes.has(SendOpcodes.BUFFERS, opcode))) {
            throw Refusals.noField("buffer", opcode);
        }
        long shortest = atomic ? Long.BYTES : 0;
        long longest = atomic ? Long.BYTES : limits.maxMessage();
        if (bytes < shortest || bytes > longest) {
            throw Refusals.changedLength(bytes, shortest, longest);
        }
        int elements = bytes == 0 ? 0 : 1;
        if (elements > limits.maxScatterGather()) {
            throw Refusals.transfer(limits, opcode, 0, bytes, elements);
        }
        LONG.set(wqe, DMA_CUR_SGE, pair(0, elements));
        LONG.set(wqe, PAYLOAD, address);
        LONG.set(wqe, PAYLOAD + RxeSge.LENGTH_OFFSET, pair(bytes, lkey));
        setLength(bytes, 0);
    }

    @Override
    public void inline(MemorySegment source, long offset, int bytes) {
        if (!inline) {
            throw Refusals.noField("inline payload", opcode);
        }
        if (bytes < 0 || bytes > limits.maxInlineData()) {
            throw Refusals.changedLength(bytes, 0, limits.maxInlineData());
        }
        if (offset < 0 || offset > source.byteSize() - bytes) {
            throw Refusals.source(offset, bytes, source.byteSize());
        }
        MemorySegment.copy(source, JAVA_BYTE, offset, wqe, PAYLOAD, bytes);
        setLength(bytes, tail(bytes));
    }

    private void setLength(int bytes, int newTail) {
        LONG.set(wqe, DMA_LENGTH, pair(bytes, bytes));
        length = bytes;
        tail = newTail;
    }

    @Override
    public void remote(long address, int rkey) {
        int key =
                switch (opcode) {
                    case WorkRequestOpcode.RDMA_WRITE,
                            WorkRequestOpcode.RDMA_WRITE_WITH_IMMEDIATE,
                            WorkRequestOpcode.RDMA_READ,
                            WorkRequestOpcode.ATOMIC_WRITE ->
                        RDMA_RKEY;
                    case WorkRequestOpcode.COMPARE_AND_SWAP, WorkRequestOpcode.FETCH_AND_ADD -> ATOMIC_RKEY;
                    case WorkRequestOpcode.FLUSH -> FLUSH_RKEY;
                    default -> throw Refusals.noField("remote memory", opcode);
                };
        if ((address & 7) != 0 && (key == ATOMIC_RKEY || opcode == WorkRequestOpcode.ATOMIC_WRITE)) {
            throw Refusals.unaligned(address);
        }
        LONG.set(wqe, REMOTE_ADDR, address);
        LONG.set(wqe, IOVA, address);
        if (key == FLUSH_RKEY) {
            INT.set(wqe, key, rkey);
        } else {
            LONG.set(wqe, key, pair(rkey, 0));
        }
    }

    /// Two neighbours as one word. The processor can hand a store on to a load of the same width that follows soon; two
    /// stores of half the width would have to reach the cache before [#copyTo] could load them.
    private static long pair(int first, int second) {
        return Integer.toUnsignedLong(first) | ((long) second << 32);
    }

    @Override
    public void immediateDataOrKey(int value) {
        if (SendOpcodes.has(SendOpcodes.WITH_IMMEDIATE, opcode)) {
            NETWORK_INT.set(wqe, IMMEDIATE_OR_KEY, value);
        } else if (opcode == WorkRequestOpcode.SEND_WITH_INVALIDATE || opcode == WorkRequestOpcode.LOCAL_INVALIDATE) {
            INT.set(wqe, IMMEDIATE_OR_KEY, value);
        } else {
            throw Refusals.noField("immediate data or key to invalidate", opcode);
        }
    }

    @Override
    public void operands(long compareOrAdd, long swap) {
        if (!SendOpcodes.has(SendOpcodes.ATOMICS, opcode)) {
            throw Refusals.noField("operands", opcode);
        }
        LONG.set(wqe, ATOMIC_COMPARE_ADD, compareOrAdd);
        LONG.set(wqe, ATOMIC_SWAP, swap);
    }

    @Override
    public void value(long value) {
        if (opcode != WorkRequestOpcode.ATOMIC_WRITE) {
            throw Refusals.noField("value", opcode);
        }
        LONG.set(wqe, PAYLOAD, value);
    }

    /// Stores it into a slot.
    void copyTo(long slot) {
        byte[] from = wqe;
        long at = slot & ADDRESSES;
        WORD.set(ALL, at + REQUEST, (long) LONG.get(from, REQUEST));
        WORD.set(ALL, at + REQUEST + 8, (long) LONG.get(from, REQUEST + 8));
        WORD.set(ALL, at + REQUEST + 16, (long) LONG.get(from, REQUEST + 16));
        WORD.set(ALL, at + REQUEST + 24, (long) LONG.get(from, REQUEST + 24));
        WORD.set(ALL, at + REQUEST + 32, (long) LONG.get(from, REQUEST + 32));
        WORD.set(ALL, at + REQUEST + 40, (long) LONG.get(from, REQUEST + 40));
        WORD.set(ALL, at + REQUEST + 48, (long) LONG.get(from, REQUEST + 48));
        WORD.set(ALL, at + PROGRESS, (long) LONG.get(from, PROGRESS));
        WORD.set(ALL, at + PROGRESS + 8, (long) LONG.get(from, PROGRESS + 8));
        WORD.set(ALL, at + TRANSFER, (long) LONG.get(from, TRANSFER));
        WORD.set(ALL, at + TRANSFER + 8, (long) LONG.get(from, TRANSFER + 8));
        WORD.set(ALL, at + TRANSFER + 16, (long) LONG.get(from, TRANSFER + 16));
        WORD.set(ALL, at + TRANSFER + 24, (long) LONG.get(from, TRANSFER + 24));
        WORD.set(ALL, at + TRANSFER + 32, (long) LONG.get(from, TRANSFER + 32));
        WORD.set(ALL, at + TRANSFER + 40, (long) LONG.get(from, TRANSFER + 40));
        if (tail != 0) {
            MemorySegment.copy(from, HEAD, ALL, JAVA_BYTE, at + HEAD, tail);
        }
    }

    /// What of a payload lies behind the head.
    private static int tail(int payload) {
        return Math.max(payload - (int) RxeSge.BYTES, 0);
    }
}
