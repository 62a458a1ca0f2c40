// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.siw;

import static io.verbs4j.abi.os.RawMemory.ADDRESSES;
import static io.verbs4j.abi.os.RawMemory.ALL;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.verbs4j.spi.SendQueueOps;
import io.verbs4j.spi.SendTemplate;
import io.verbs4j.spi.ring.SendChecks;
import io.verbs4j.spi.ring.WorkRequestErrors;
import io.verbs4j.types.SendFlags;
import io.verbs4j.types.WorkRequestOpcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/// A send element in fields, to be changed and stored into slots. It is encoded by [SiwSendRing] in a ring without a
/// kernel. Its flags lack `VALID`, like those of any unpublished element.
final class SiwSendTemplate extends SendTemplate {
    private static final int HEAD_FLAGS = 0xffff & ~Elements.VALID;

    private final SiwSendRing ring;
    private final SendChecks checks;
    private final int opcode;
    private final boolean inline;

    private long id;
    private long head;
    private long remoteAddress;
    private long localAddress;
    private long lengthAndKey;

    /// Buffers behind the first, or the inline payload.
    private final byte[] tail;

    /// Number of valid bytes.
    private int tailBytes;

    private SiwSendTemplate(SiwSendRing ring, SendChecks checks, MemorySegment element) {
        this.ring = ring;
        this.checks = checks;
        this.id = (long) Elements.WORD.get(element, Elements.ID);
        this.head = (long) Elements.WORD.get(element, Elements.HEAD) & ~(long) Elements.VALID;
        this.remoteAddress = (long) Elements.WORD.get(element, Elements.RADDR);
        this.localAddress = (long) Elements.WORD.get(element, Elements.SEND_SGE + Elements.LADDR);
        this.lengthAndKey = (long) Elements.WORD.get(element, Elements.SEND_SGE + Elements.LENGTH_AND_KEY);
        this.tail = element.asSlice(Elements.INLINE_DATA).toArray(JAVA_BYTE);
        this.inline = (head & Elements.INLINE) != 0;
        this.opcode = operation((int) (head >>> Elements.OPCODE_SHIFT) & 0xff);
        int buffers = (int) (head >>> Elements.NUM_SGE_SHIFT) & 0xff;
        this.tailBytes = inline ? (int) lengthAndKey : Math.max(buffers - 1, 0) * (int) Elements.SGE_BYTES;
    }

    private static int operation(int number) {
        return switch (number) {
            case 0 -> WorkRequestOpcode.RDMA_WRITE;
            case 1 -> WorkRequestOpcode.RDMA_READ;
            case 3 -> WorkRequestOpcode.SEND;
            default -> WorkRequestOpcode.SEND_WITH_INVALIDATE;
        };
    }

    /// Encodes one.
    ///
    /// @param ring its ring
    static SiwSendTemplate encode(SiwSendRing ring, SendChecks checks, Consumer<SendQueueOps> encode) {
        MemorySegment memory = Arena.ofAuto().allocate(2 * Elements.SEND_BYTES, Long.BYTES);
        SiwSendRing scratch = ring.scratch(memory);
        encode.accept(scratch);
        if (scratch.publish() != 1) {
            throw new IllegalStateException("a template is made of one work request");
        }
        return new SiwSendTemplate(ring, checks, memory.asSlice(0, Elements.SEND_BYTES));
    }

    /// Returns whether it is for this ring.
    @SuppressWarnings("ReferenceEquality") // a ring is only itself
    boolean isFor(SiwSendRing other) {
        return ring == other;
    }

    @Override
    public void workRequestId(long value) {
        id = value;
    }

    @Override
    public void flags(int value) {
        checks.flags(opcode, value);
        if (opcode == WorkRequestOpcode.RDMA_READ && (value & SendFlags.FENCE) != 0) {
            throw SiwRefusals.fencedRead();
        }
        head = (head & ~(long) HEAD_FLAGS) | ring.flags(value) | (inline ? Elements.INLINE : 0);
    }

    @Override
    public void local(long address, int length, int lkey) {
        if (inline) {
            throw WorkRequestErrors.noField("buffer", opcode);
        }
        checks.changedBuffer(opcode, length);
        long buffers = length == 0 && opcode != WorkRequestOpcode.RDMA_READ ? 0 : 1;
        head = (head & ~(0xffL << Elements.NUM_SGE_SHIFT)) | (buffers << Elements.NUM_SGE_SHIFT);
        localAddress = address;
        lengthAndKey = Elements.lengthAndKey(length, lkey);
        tailBytes = 0;
    }

    @Override
    public void inline(MemorySegment source, long offset, int length) {
        if (!inline) {
            throw WorkRequestErrors.noField("inline payload", opcode);
        }
        checks.changedInline(source, offset, length);
        MemorySegment.copy(source, JAVA_BYTE, offset, tail, 0, length);
        lengthAndKey = Elements.lengthAndKey(length, 0);
        tailBytes = length;
    }

    @Override
    public void remote(long address, int rkey) {
        if (opcode != WorkRequestOpcode.RDMA_WRITE && opcode != WorkRequestOpcode.RDMA_READ) {
            throw WorkRequestErrors.noField("remote memory", opcode);
        }
        remoteAddress = address;
        key(rkey);
    }

    @Override
    public void immediateDataOrKey(int value) {
        if (opcode != WorkRequestOpcode.SEND_WITH_INVALIDATE) {
            throw WorkRequestErrors.noField("immediate data or key to invalidate", opcode);
        }
        key(value);
    }

    private void key(int key) {
        head = (head & ((1L << Elements.RKEY_SHIFT) - 1)) | ((long) key << Elements.RKEY_SHIFT);
    }

    @Override
    public void operands(long compareOrAdd, long swap) {
        throw WorkRequestErrors.noField("operands", opcode);
    }

    @Override
    public void value(long value) {
        throw WorkRequestErrors.noField("value", opcode);
    }

    /// Stores it into a slot.
    void copyTo(long slot) {
        long at = slot & ADDRESSES;
        Elements.WORD.set(ALL, at + Elements.ID, id);
        Elements.WORD.set(ALL, at + Elements.HEAD, head);
        Elements.WORD.set(ALL, at + Elements.RADDR, remoteAddress);
        Elements.WORD.set(ALL, at + Elements.SEND_SGE + Elements.LADDR, localAddress);
        Elements.WORD.set(ALL, at + Elements.SEND_SGE + Elements.LENGTH_AND_KEY, lengthAndKey);
        if (tailBytes != 0) {
            MemorySegment.copy(tail, 0, ALL, JAVA_BYTE, at + Elements.INLINE_DATA, tailBytes);
        }
    }
}
