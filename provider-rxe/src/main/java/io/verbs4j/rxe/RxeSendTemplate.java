// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.verbs4j.spi.SendQueueOps;
import io.verbs4j.spi.SendTemplate;
import io.verbs4j.types.SendFlags;
import io.verbs4j.types.WorkRequestOpcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;

/// A send WQE kept on the heap, as the words that a post stores into a slot. It is encoded by the methods of
/// [SendRing] themselves, in a ring of one element that no kernel sees.
///
/// A post stores whole words, so fields that only the kernel uses and that share a word with one of ours become 0;
/// [RxeSendWqe] says why that is as good as leaving them. The words in between are not touched.
final class RxeSendTemplate extends SendTemplate {
    private static final VarHandle WORD = JAVA_LONG.varHandle().withInvokeExactBehavior();

    /// Bytes up to the end of the first scatter/gather element, which each slot has.
    private static final long HEAD = RxeSendWqe.PAYLOAD + RxeSge.BYTES;

    // Where the words that a post stores begin.
    private static final long REQUEST = 0;
    private static final long PROGRESS = RxeSendWqe.PROGRESS;
    private static final long TRANSFER = RxeSendWqe.TRANSFER;

    private final SendRing ring;
    private final SendLimits limits;
    private final int opcode;
    private final boolean inline;
    private final long[] words;
    private final MemorySegment wqe;

    /// Length of the message.
    private int length;

    /// Bytes behind [#HEAD] that belong to the payload.
    private int tail;

    private RxeSendTemplate(SendRing ring, SendLimits limits, MemorySegment encoded) {
        this.ring = ring;
        this.limits = limits;
        this.words = new long[(int) (encoded.byteSize() / Long.BYTES)];
        this.wqe = MemorySegment.ofArray(words).copyFrom(encoded);
        this.opcode = (int) RxeSendWqe.OPCODE.get(wqe, 0L);
        this.inline = ((int) RxeSendWqe.SEND_FLAGS.get(wqe, 0L) & SendFlags.INLINE) != 0;
        this.length = (int) RxeSendWqe.DMA_LENGTH.get(wqe, 0L);
        this.tail = tail(inline ? length : (int) RxeSendWqe.DMA_NUM_SGE.get(wqe, 0L) * (int) RxeSge.BYTES);
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
        RxeSendWqe.WR_ID.set(wqe, 0L, id);
    }

    @Override
    public void flags(int flags) {
        if ((flags & ~SendFlags.CALLER_FLAGS) != 0) {
            throw Refusals.plain(limits, opcode, flags, true);
        }
        RxeSendWqe.SEND_FLAGS.set(wqe, 0L, inline ? flags | SendFlags.INLINE : flags);
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
        RxeSendWqe.DMA_NUM_SGE.set(wqe, 0L, elements);
        SendWqeWriter.element(wqe, 0, address, bytes, lkey);
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
        MemorySegment.copy(source, offset, wqe, RxeSendWqe.PAYLOAD, bytes);
        setLength(bytes, tail(bytes));
    }

    private void setLength(int bytes, int newTail) {
        RxeSendWqe.DMA_LENGTH.set(wqe, 0L, bytes);
        RxeSendWqe.DMA_RESID.set(wqe, 0L, bytes);
        length = bytes;
        tail = newTail;
    }

    @Override
    public void remote(long address, int rkey) {
        switch (opcode) {
            case WorkRequestOpcode.RDMA_WRITE,
                    WorkRequestOpcode.RDMA_WRITE_WITH_IMMEDIATE,
                    WorkRequestOpcode.RDMA_READ ->
                SendWqeWriter.rdma(wqe, 0, address, rkey);
            case WorkRequestOpcode.ATOMIC_WRITE -> {
                requireAligned(address);
                SendWqeWriter.rdma(wqe, 0, address, rkey);
            }
            case WorkRequestOpcode.COMPARE_AND_SWAP, WorkRequestOpcode.FETCH_AND_ADD -> {
                requireAligned(address);
                RxeSendWqe.ATOMIC_REMOTE_ADDR.set(wqe, 0L, address);
                RxeSendWqe.ATOMIC_RKEY.set(wqe, 0L, rkey);
            }
            case WorkRequestOpcode.FLUSH -> {
                RxeSendWqe.FLUSH_REMOTE_ADDR.set(wqe, 0L, address);
                RxeSendWqe.FLUSH_RKEY.set(wqe, 0L, rkey);
            }
            default -> throw Refusals.noField("remote memory", opcode);
        }
        RxeSendWqe.IOVA.set(wqe, 0L, address);
    }

    private static void requireAligned(long address) {
        if ((address & 7) != 0) {
            throw Refusals.unaligned(address);
        }
    }

    @Override
    public void immediateDataOrKey(int value) {
        if (SendOpcodes.has(SendOpcodes.WITH_IMMEDIATE, opcode)) {
            RxeSendWqe.IMM_DATA.set(wqe, 0L, value);
        } else if (opcode == WorkRequestOpcode.SEND_WITH_INVALIDATE || opcode == WorkRequestOpcode.LOCAL_INVALIDATE) {
            RxeSendWqe.INVALIDATE_RKEY.set(wqe, 0L, value);
        } else {
            throw Refusals.noField("immediate data or key to invalidate", opcode);
        }
    }

    @Override
    public void operands(long compareOrAdd, long swap) {
        if (!SendOpcodes.has(SendOpcodes.ATOMICS, opcode)) {
            throw Refusals.noField("operands", opcode);
        }
        RxeSendWqe.ATOMIC_COMPARE_ADD.set(wqe, 0L, compareOrAdd);
        RxeSendWqe.ATOMIC_SWAP.set(wqe, 0L, swap);
    }

    @Override
    public void value(long value) {
        if (opcode != WorkRequestOpcode.ATOMIC_WRITE) {
            throw Refusals.noField("value", opcode);
        }
        WORD.set(wqe, RxeSendWqe.PAYLOAD, value);
    }

    /// Stores it into a slot.
    ///
    /// The slice has a length that the compiler knows, so that it checks the bounds of all stores at once, and is
    /// itself never made.
    void copyTo(MemorySegment mapping, long base) {
        long[] from = words;
        MemorySegment slot = mapping.asSlice(base, HEAD);
        WORD.set(slot, REQUEST, from[(int) REQUEST / 8]);
        WORD.set(slot, REQUEST + 8, from[(int) REQUEST / 8 + 1]);
        WORD.set(slot, REQUEST + 16, from[(int) REQUEST / 8 + 2]);
        WORD.set(slot, REQUEST + 24, from[(int) REQUEST / 8 + 3]);
        WORD.set(slot, REQUEST + 32, from[(int) REQUEST / 8 + 4]);
        WORD.set(slot, REQUEST + 40, from[(int) REQUEST / 8 + 5]);
        WORD.set(slot, REQUEST + 48, from[(int) REQUEST / 8 + 6]);
        WORD.set(slot, PROGRESS, from[(int) PROGRESS / 8]);
        WORD.set(slot, PROGRESS + 8, from[(int) PROGRESS / 8 + 1]);
        WORD.set(slot, TRANSFER, from[(int) TRANSFER / 8]);
        WORD.set(slot, TRANSFER + 8, from[(int) TRANSFER / 8 + 1]);
        WORD.set(slot, TRANSFER + 16, from[(int) TRANSFER / 8 + 2]);
        WORD.set(slot, TRANSFER + 24, from[(int) TRANSFER / 8 + 3]);
        WORD.set(slot, TRANSFER + 32, from[(int) TRANSFER / 8 + 4]);
        WORD.set(slot, TRANSFER + 40, from[(int) TRANSFER / 8 + 5]);
        if (tail != 0) {
            MemorySegment.copy(wqe, HEAD, mapping, base + HEAD, tail);
        }
    }

    /// What of a payload lies behind the head.
    private static int tail(int payload) {
        return Math.max(payload - (int) RxeSge.BYTES, 0);
    }
}
