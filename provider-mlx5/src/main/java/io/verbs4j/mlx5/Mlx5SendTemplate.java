// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.mlx5;

import static io.verbs4j.abi.os.RawMemory.ADDRESSES;
import static io.verbs4j.abi.os.RawMemory.ALL;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.verbs4j.spi.SendQueueOps;
import io.verbs4j.spi.SendTemplate;
import io.verbs4j.spi.ring.OpcodeSet;
import io.verbs4j.spi.ring.SendChecks;
import io.verbs4j.spi.ring.WorkRequestErrors;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.WorkRequestOpcode;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.Consumer;

/// A work request as words after the control segment. The control segment contains the block number, so each post
/// creates it.
final class Mlx5SendTemplate extends SendTemplate {
    private static final VarHandle WORD = JAVA_LONG.varHandle().withInvokeExactBehavior();
    private static final VarHandle BYTES =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder()).withInvokeExactBehavior();

    /// Words of the longest work request (63 segments fit the control segment's field; cards take 64 at most).
    private static final int WORDS = 128;

    private static final int BLOCKS = WORDS * Long.BYTES / Segments.BLOCK;

    private final Mlx5SendQueue queue;
    private final SendChecks checks;
    private final long[] words;
    private final byte[] inlineBytes;
    private final int opcode;
    private final boolean inline;
    /// Offset of the buffer or of the inline payload, in words.
    private final int payload;

    private long identifier;
    private int flags;
    private int size;
    private int data;

    private Mlx5SendTemplate(Mlx5SendQueue queue, SendChecks checks, Recorder recorded, long[] words, int size) {
        this.queue = queue;
        this.checks = checks;
        this.words = words;
        this.opcode = recorded.opcode();
        this.identifier = recorded.identifier();
        this.flags = recorded.flags();
        this.data = recorded.data();
        this.inline = recorded.inline();
        this.size = size;
        this.payload = checks.limits().type() == QueuePairType.UD ? 8
                : OpcodeSet.has(Operations.ATOMICS, opcode) ? 6 : OpcodeSet.has(Operations.WITH_REMOTE, opcode) ? 4 : 2;
        this.inlineBytes = new byte[(WORDS - payload) * Long.BYTES];
    }

    static Mlx5SendTemplate encode(Mlx5SendQueue queue, SendChecks checks, Consumer<SendQueueOps> encode) {
        QueueMemory memory = QueueMemory.scratch((long) BLOCKS * Segments.BLOCK);
        Mlx5SendQueue scratch = queue.scratch(memory, BLOCKS);
        var recorder = new Recorder(scratch);
        scratch.begin();
        encode.accept(recorder);
        if (scratch.publish() != 1) {
            throw new IllegalStateException("a template is made of one work request");
        }
        var words = new long[WORDS];
        scratch.blocks().copyFirst(words);
        return new Mlx5SendTemplate(queue, checks, recorder, words, scratch.blocks().firstSize());
    }

    /// Returns whether it belongs to this queue.
    @SuppressWarnings("ReferenceEquality") // a queue is only itself
    boolean isFor(Mlx5SendQueue other) {
        return queue == other;
    }

    @Override
    public void workRequestId(long id) {
        identifier = id;
    }

    @Override
    public void flags(int value) {
        checks.flags(opcode, value);
        flags = value;
    }

    @Override
    public void local(long address, int length, int lkey) {
        if (inline || changesKey()) {
            throw noField("buffer");
        }
        checks.changedBuffer(opcode, length);
        size = payload / 2 + (length == 0 ? 0 : 1);
        words[payload] = Long.reverseBytes(Segments.pair(length, lkey));
        words[payload + 1] = Long.reverseBytes(address);
    }

    @Override
    public void inline(MemorySegment source, long offset, int length) {
        if (!inline) {
            throw noField("inline payload");
        }
        checks.changedInline(source, offset, length);
        MemorySegment.copy(source, JAVA_BYTE, offset, inlineBytes, Integer.BYTES, length);
        int head = Integer.reverseBytes(0x80000000 | length);
        for (int i = 0; i < Integer.BYTES; i++) {
            inlineBytes[i] = (byte) (head >>> (i * Byte.SIZE));
        }
        int segments = length == 0 ? 0 : (Integer.BYTES + length + Segments.UNIT - 1) >> Segments.UNIT_SHIFT;
        for (int i = 0; i < 2 * segments; i++) {
            words[payload + i] = (long) BYTES.get(inlineBytes, i * Long.BYTES);
        }
        size = payload / 2 + segments;
    }

    @Override
    public void remote(long address, int rkey) {
        boolean atomic = OpcodeSet.has(Operations.ATOMICS, opcode);
        if (!atomic && !OpcodeSet.has(Operations.WITH_REMOTE, opcode)) {
            throw noField("remote memory");
        }
        if (atomic && (address & 7) != 0) {
            throw WorkRequestErrors.unaligned(address);
        }
        words[2] = Long.reverseBytes(address);
        words[3] = Long.reverseBytes(Segments.pair(rkey, 0));
    }

    @Override
    public void immediateDataOrKey(int value) {
        if (!OpcodeSet.has(Operations.WITH_DATA, opcode) && opcode != WorkRequestOpcode.LOCAL_INVALIDATE) {
            throw noField("immediate data or key to invalidate");
        }
        data = value;
    }

    @Override
    public void operands(long compareOrAdd, long swap) {
        if (!OpcodeSet.has(Operations.ATOMICS, opcode)) {
            throw noField("operands");
        }
        boolean compares = opcode == WorkRequestOpcode.COMPARE_AND_SWAP;
        words[4] = Long.reverseBytes(compares ? swap : compareOrAdd);
        if (compares) {
            words[5] = Long.reverseBytes(compareOrAdd);
        }
    }

    @Override
    public void value(long value) {
        throw noField("value");
    }

    private boolean changesKey() {
        return OpcodeSet.has(Operations.KEY_CHANGES, opcode);
    }

    private RuntimeException noField(String field) {
        return WorkRequestErrors.noField(field, opcode);
    }

    /// Stores it segment by segment, across the end of the queue.
    int copyTo(SendBlocks blocks, long at) {
        long place = at + Segments.UNIT;
        for (int i = 2; i < 2 * size; i += 2) {
            place = blocks.wrap(place);
            WORD.set(ALL, place & ADDRESSES, words[i]);
            WORD.set(ALL, (place & ADDRESSES) + Long.BYTES, words[i + 1]);
            place += Segments.UNIT;
        }
        int kind = changesKey() ? Recorder.kind(opcode) : 0;
        return blocks.posted(at, Operations.wire(opcode), size, flags, data, identifier, kind);
    }

    @Override
    public String toString() {
        return WorkRequestOpcode.name(opcode) + " of " + Arrays.hashCode(words);
    }
}
