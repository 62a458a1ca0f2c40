// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static io.verbs4j.abi.os.RawMemory.ADDRESSES;
import static io.verbs4j.abi.os.RawMemory.ALL;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.verbs4j.spi.SendQueueOps;
import io.verbs4j.spi.SendTemplate;
import io.verbs4j.spi.ring.OpcodeSet;
import io.verbs4j.spi.ring.SendChecks;
import io.verbs4j.spi.ring.WorkRequestErrors;
import io.verbs4j.types.SendFlags;
import io.verbs4j.types.WorkRequestOpcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.function.Consumer;

/// A send WQE kept in fields, to be changed there and stored into slots. It is encoded by the methods of [SendRing]
/// themselves, in a ring of one element that no kernel sees.
///
/// A post stores words of eight bytes, and 0 for what of them no operation uses; [RxeSendWqe] says why that is as good
/// as leaving it. Fewer and larger accesses, since the compiler gives up to compile a post into its caller as one piece
/// after about twenty (`NodeCountInliningCutoff`).
final class RxeSendTemplate extends SendTemplate {
    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder()).withInvokeExactBehavior();
    private static final VarHandle WORD = JAVA_LONG.varHandle().withInvokeExactBehavior();

    private static final long FLAGS_AND_EX = RxeSendWqe.offset("wr.send_flags");

    /// The words of the longest operation; the address of remote memory is the first, whatever the operation.
    private static final long OPERATION = RxeSendWqe.offset("wr.wr");

    private static final long STATUS_AND_STATE = RxeSendWqe.offset("status");
    private static final long LENGTH_AND_RESIDUE = RxeSendWqe.offset("dma.length");
    private static final long CURSOR_AND_ELEMENTS = RxeSendWqe.offset("dma.cur_sge");
    private static final long BYTES_AND_KEY = RxeSendWqe.PAYLOAD + RxeSge.LENGTH_OFFSET;

    private final SendRing ring;
    private final SendChecks checks;
    private final int opcode;
    private final boolean inline;

    private long id;
    private long flagsAndEx;
    private long operation0;
    private long operation1;
    private long operation2;
    private long operation3;
    private long iova;

    /// Length of the message.
    private int length;

    private int elements;

    /// The first bytes of the payload: one scatter/gather element, for which each slot has room.
    private long payload0;

    private long payload1;

    /// The payload, of which the bytes behind the first element count.
    private final byte[] payload;

    /// Their number.
    private int tail;

    private RxeSendTemplate(SendRing ring, SendChecks checks, MemorySegment encoded) {
        this.ring = ring;
        this.checks = checks;
        this.opcode = (int) RxeSendWqe.OPCODE.get(encoded, 0L);
        this.id = (long) RxeSendWqe.WR_ID.get(encoded, 0L);
        this.flagsAndEx = (long) WORD.get(encoded, FLAGS_AND_EX);
        this.operation0 = (long) WORD.get(encoded, OPERATION);
        this.operation1 = (long) WORD.get(encoded, OPERATION + 8);
        this.operation2 = (long) WORD.get(encoded, OPERATION + 16);
        this.operation3 = (long) WORD.get(encoded, OPERATION + 24);
        this.iova = (long) RxeSendWqe.IOVA.get(encoded, 0L);
        this.length = (int) RxeSendWqe.DMA_LENGTH.get(encoded, 0L);
        this.elements = (int) RxeSendWqe.DMA_NUM_SGE.get(encoded, 0L);
        this.payload = encoded.asSlice(RxeSendWqe.PAYLOAD).toArray(JAVA_BYTE);
        this.inline = ((int) flagsAndEx & SendFlags.INLINE) != 0;
        loadPayload(inline ? length : elements * (int) RxeSge.BYTES);
    }

    private void loadPayload(int bytes) {
        payload0 = (long) LONG.get(payload, 0);
        payload1 = (long) LONG.get(payload, Long.BYTES);
        tail = Math.max(bytes - (int) RxeSge.BYTES, 0);
    }

    /// Encodes one.
    ///
    /// @param ring the ring that it is for
    static RxeSendTemplate encode(
            SendRing ring, SendChecks checks, RxeSendLimits limits, int maxDatagram, Consumer<SendQueueOps> encode) {
        int shift = Long.SIZE - Long.numberOfLeadingZeros(limits.elementBytes() - 1);
        MemorySegment memory = Arena.ofAuto().allocate(RxeQueueBuf.DATA + (2L << shift), Long.BYTES);
        RxeQueueBuf.LOG2_ELEM_SIZE.set(memory, 0L, shift);
        RxeQueueBuf.INDEX_MASK.set(memory, 0L, 1);
        var scratch = new SendRing(memory, limits, maxDatagram, () -> 0);
        encode.accept(scratch);
        if (scratch.publish() != 1) {
            throw new IllegalStateException("a template is made of one work request");
        }
        return new RxeSendTemplate(ring, checks, memory.asSlice(RxeQueueBuf.DATA, 1L << shift));
    }

    /// Returns whether it is for this ring.
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
    public void workRequestId(long value) {
        id = value;
    }

    @Override
    public void flags(int value) {
        checks.flags(opcode, value);
        flagsAndEx = pair(inline ? value | SendFlags.INLINE : value, (int) (flagsAndEx >>> Integer.SIZE));
    }

    @Override
    public void local(long address, int bytes, int lkey) {
        if (inline || !OpcodeSet.has(SendOpcodes.ATOMICS | SendOpcodes.BUFFERS, opcode)) {
            throw WorkRequestErrors.noField("buffer", opcode);
        }
        checks.changedBuffer(opcode, bytes);
        int count = bytes == 0 ? 0 : 1;
        length = bytes;
        elements = count;
        payload0 = address;
        payload1 = pair(bytes, lkey);
        tail = 0;
    }

    @Override
    public void inline(MemorySegment source, long offset, int bytes) {
        if (!inline) {
            throw WorkRequestErrors.noField("inline payload", opcode);
        }
        checks.changedInline(source, offset, bytes);
        MemorySegment.copy(source, JAVA_BYTE, offset, payload, 0, bytes);
        length = bytes;
        loadPayload(bytes);
    }

    @Override
    public void remote(long address, int rkey) {
        switch (opcode) {
            case WorkRequestOpcode.RDMA_WRITE,
                    WorkRequestOpcode.RDMA_WRITE_WITH_IMMEDIATE,
                    WorkRequestOpcode.RDMA_READ ->
                operation1 = pair(rkey, 0);
            case WorkRequestOpcode.ATOMIC_WRITE -> {
                requireAligned(address);
                operation1 = pair(rkey, 0);
            }
            case WorkRequestOpcode.COMPARE_AND_SWAP, WorkRequestOpcode.FETCH_AND_ADD -> {
                requireAligned(address);
                operation3 = pair(rkey, 0);
            }
            case WorkRequestOpcode.FLUSH -> operation1 = pair((int) operation1, rkey);
            default -> throw WorkRequestErrors.noField("remote memory", opcode);
        }
        operation0 = address;
        iova = address;
    }

    private static void requireAligned(long address) {
        if ((address & 7) != 0) {
            throw WorkRequestErrors.unaligned(address);
        }
    }

    /// Two neighbours in the order of memory.
    private static long pair(int first, int second) {
        return Integer.toUnsignedLong(first) | ((long) second << 32);
    }

    @Override
    public void immediateDataOrKey(int value) {
        if (OpcodeSet.has(SendOpcodes.WITH_IMMEDIATE, opcode)) {
            ex(Integer.reverseBytes(value));
        } else if (opcode == WorkRequestOpcode.SEND_WITH_INVALIDATE || opcode == WorkRequestOpcode.LOCAL_INVALIDATE) {
            ex(value);
        } else {
            throw WorkRequestErrors.noField("immediate data or key to invalidate", opcode);
        }
    }

    private void ex(int value) {
        flagsAndEx = pair((int) flagsAndEx, value);
    }

    @Override
    public void operands(long compareOrAdd, long swap) {
        if (!OpcodeSet.has(SendOpcodes.ATOMICS, opcode)) {
            throw WorkRequestErrors.noField("operands", opcode);
        }
        operation1 = compareOrAdd;
        operation2 = swap;
    }

    @Override
    public void value(long value) {
        if (opcode != WorkRequestOpcode.ATOMIC_WRITE) {
            throw WorkRequestErrors.noField("value", opcode);
        }
        payload0 = value;
    }

    /// Stores it into a slot.
    void copyTo(long slot) {
        long at = slot & ADDRESSES;
        RxeSendWqe.WR_ID.set(ALL, at, id);
        RxeSendWqe.OPCODE.set(ALL, at, opcode);
        WORD.set(ALL, at + FLAGS_AND_EX, flagsAndEx);
        WORD.set(ALL, at + OPERATION, operation0);
        WORD.set(ALL, at + OPERATION + 8, operation1);
        WORD.set(ALL, at + OPERATION + 16, operation2);
        WORD.set(ALL, at + OPERATION + 24, operation3);
        WORD.set(ALL, at + STATUS_AND_STATE, pair(0, RxeSendWqe.STATE_POSTED));
        RxeSendWqe.IOVA.set(ALL, at, iova);
        RxeSendWqe.HAS_RD_ATOMIC.set(ALL, at, 0);
        WORD.set(ALL, at + LENGTH_AND_RESIDUE, pair(length, length));
        WORD.set(ALL, at + CURSOR_AND_ELEMENTS, pair(0, elements));
        RxeSendWqe.DMA_SGE_OFFSET.set(ALL, at, 0);
        WORD.set(ALL, at + RxeSendWqe.PAYLOAD, payload0);
        WORD.set(ALL, at + BYTES_AND_KEY, payload1);
        if (tail != 0) {
            copyTail(at);
        }
    }

    private void copyTail(long at) {
        int head = (int) RxeSge.BYTES;
        MemorySegment.copy(payload, head, ALL, JAVA_BYTE, at + RxeSendWqe.PAYLOAD + head, tail);
    }
}
