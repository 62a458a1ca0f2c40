// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.mlx5;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.Transport;
import io.verbs4j.spi.ProviderAddressHandle;
import io.verbs4j.spi.ProviderContext;
import io.verbs4j.spi.ProviderProtectionDomain;
import io.verbs4j.spi.kit.Element;
import io.verbs4j.spi.kit.PlayedDevice;
import io.verbs4j.spi.ring.OpcodeSet;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.Gid;
import io.verbs4j.types.SendFlags;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// The card's side of the queues of [FakeMlx5Kernel]. It finds work requests in memory by doorbell records, reads them
/// by its own offsets, and writes completions. All of it is big-endian.
final class PlayedMlx5 implements PlayedDevice {
    private static final ValueLayout.OfInt INT = JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong LONG = JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfShort SHORT = JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final Map<Integer, Integer> OPCODES =
            Map.of(0x08, 0, 0x09, 1, 0x0a, 2, 0x0b, 3, 0x10, 4, 0x11, 5, 0x12, 6, 0x01, 9);
    private static final int WITH_REMOTE = OpcodeSet.of(0, 1, 4, 5, 6);
    private static final int ATOMICS = OpcodeSet.of(5, 6);
    private static final int WITH_DATA = OpcodeSet.of(1, 3, 9);
    private static final int BLOCK = 64;
    private static final int END_KEY = 0x100;
    private static final int RECEIVED = 2;
    private static final int REQUEST_ERROR = 13;
    private static final int RESPONSE_ERROR = 14;
    private static final int FLUSHED = 5;

    private final FakeMlx5Kernel kernel = new FakeMlx5Kernel(new StringBuilder(), 32768);
    private final Mlx5Context context =
            Mlx5Context.open(CommandChannel.open(kernel, 1, "mlx5_0", 1, Transport.WRITE));
    private final ProviderProtectionDomain domain = context.allocateProtectionDomain();
    private final ProviderAddressHandle handle =
            context.createAddressHandle(domain, AddressVector.roce(1, 0, new Gid(0, 0xffff_0a09_0001L)));

    private int seenPairs;
    private int block;
    private int receive;
    /// The shared receive that was taken last; its link names the next.
    private int lastShared = -1;

    @Override
    public ProviderContext context() {
        return context;
    }

    @Override
    public ProviderProtectionDomain domain() {
        return domain;
    }

    @Override
    public int operations() {
        return OpcodeSet.of(0, 1, 2, 3, 4, 5, 6, 9);
    }

    @Override
    public int inlineOperations() {
        return OpcodeSet.of(0, 1, 2, 3, 9);
    }

    @Override
    public ProviderAddressHandle addressHandle() {
        return handle;
    }

    private FakeMlx5Kernel.Work pair() {
        if (seenPairs != kernel.pairs.size()) {
            seenPairs = kernel.pairs.size();
            block = 0;
            receive = 0;
            lastShared = -1;
        }
        return kernel.pairs.getLast();
    }

    private boolean isShared() {
        return pair().receives() == 0;
    }

    private FakeMlx5Kernel.Work receives() {
        return isShared() ? kernel.shared.getLast() : pair();
    }

    private static MemorySegment memory(FakeMlx5Kernel.Work work) {
        return FakeMlx5Kernel.at(work.sends(), (long) work.sendBlocks() * BLOCK);
    }

    private static int counter(FakeMlx5Kernel.Work work, int word) {
        return FakeMlx5Kernel.at(work.record(), 8).get(INT, 4L * word) & 0xffff;
    }

    /// Returns the blocks of the work request that starts at a block, in order even across the end of the ring.
    private static MemorySegment blocks(FakeMlx5Kernel.Work work, int first) {
        MemorySegment ring = memory(work);
        long at = (long) (first & work.sendBlocks() - 1) * BLOCK;
        int bytes = 16 * (ring.get(INT, at + 4) & 0x3f);
        var copy = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            copy[i] = ring.get(JAVA_BYTE, (at + i) % ring.byteSize());
        }
        return MemorySegment.ofArray(copy);
    }

    private static int blocksOf(MemorySegment request) {
        return (int) (request.byteSize() + BLOCK - 1) / BLOCK;
    }

    @Override
    public int waitingSends() {
        FakeMlx5Kernel.Work work = pair();
        int count = 0;
        for (int at = block; (at & 0xffff) != counter(work, 1); count++) {
            at += blocksOf(blocks(work, at));
        }
        return count;
    }

    @Override
    public int waitingReceives() {
        FakeMlx5Kernel.Work work = receives();
        return counter(work, 0) - receive & 0xffff;
    }

    @Override
    public Element takeSend(int status) {
        FakeMlx5Kernel.Work work = pair();
        MemorySegment request = blocks(work, block);
        int head = request.get(INT, 0);
        assertThat(head >>> 8 & 0xffff).as("number of the block").isEqualTo(block & 0xffff);
        assertThat(request.get(INT, 4) >>> 8).as("queue pair").isEqualTo(work.number());
        int first = block;
        block += blocksOf(request);
        int opcode = OPCODES.get(head & 0xff);
        int bits = request.get(JAVA_BYTE, 11);
        boolean datagram = work.datagrams();
        boolean remote = OpcodeSet.has(WITH_REMOTE, opcode);
        boolean atomic = OpcodeSet.has(ATOMICS, opcode);
        long at = datagram ? 64 : atomic ? 48 : remote ? 32 : 16;
        var buffers = new ArrayList<Element.Buffer>();
        String inline = "";
        while (at < request.byteSize()) {
            int length = request.get(INT, at);
            if (length < 0) {
                inline = HexFormat.of()
                        .formatHex(request.asSlice(at + 4, length & Integer.MAX_VALUE).toArray(JAVA_BYTE));
                break;
            }
            buffers.add(new Element.Buffer(request.get(LONG, at + 8), length, request.get(INT, at + 4)));
            at += 16;
        }
        complete(status == 0 ? 0 : REQUEST_ERROR, (head & 0xff) << 24 | work.number(), first, 0, 0);
        return new Element(
                opcode,
                ((bits & 8) != 0 ? SendFlags.SIGNALED : 0) | ((bits & 2) != 0 ? SendFlags.SOLICITED : 0)
                        | ((bits & 0x80) != 0 ? SendFlags.FENCE : 0),
                OpcodeSet.has(WITH_DATA, opcode) ? request.get(INT, 12) : 0,
                remote ? request.get(LONG, 16) : 0,
                remote ? request.get(INT, 24) : 0,
                atomic ? request.get(LONG, opcode == 5 ? 40 : 32) : 0,
                opcode == 5 ? request.get(LONG, 32) : 0,
                datagram ? request.get(INT, 24) & 0xffffff : 0,
                datagram ? request.get(INT, 16) : 0,
                buffers,
                inline);
    }

    private void complete(int kind, int operationAndPair, int counter, int bytes, int shared) {
        ByteBuffer entry = ByteBuffer.allocate(BLOCK)
                .putInt(32, shared)
                .putInt(44, bytes)
                .putInt(56, operationAndPair)
                .putShort(60, (short) counter)
                .put(55, (byte) (kind == REQUEST_ERROR || kind == RESPONSE_ERROR ? FLUSHED : 0))
                .put(63, (byte) (kind << 4));
        kernel.queues.getLast().put(entry.array());
    }

    @Override
    public Element takeReceive(int status, int bytes) {
        FakeMlx5Kernel.Work work = receives();
        int index = receive & work.receives() - 1;
        int header = 0;
        if (isShared()) {
            header = 16;
            index = lastShared < 0 ? 0 : element(work, lastShared).get(SHORT, 2) & 0xffff;
            lastShared = index;
        }
        MemorySegment element = element(work, index);
        var buffers = new ArrayList<Element.Buffer>();
        for (long at = header; at < element.byteSize() && element.get(INT, at + 4) != END_KEY; at += 16) {
            buffers.add(
                    new Element.Buffer(element.get(LONG, at + 8), element.get(INT, at), element.get(INT, at + 4)));
        }
        complete(
                status == 0 ? RECEIVED : RESPONSE_ERROR,
                pair().number(),
                isShared() ? index : receive,
                bytes,
                isShared() ? work.number() : 0);
        receive++;
        return Element.receive(buffers);
    }

    private static MemorySegment element(FakeMlx5Kernel.Work work, int index) {
        return FakeMlx5Kernel.at(work.address() + ((long) index << work.shift()), 1L << work.shift());
    }

    /// Writes completions with any contents; many contain numbers of existing queues.
    @Override
    public void writeRubbish(Random random) {
        FakeMlx5Kernel.Queue queue = kernel.queues.getLast();
        for (int i = 0; i < queue.entries; i++) {
            var junk = new byte[BLOCK];
            random.nextBytes(junk);
            ByteBuffer entry = ByteBuffer.wrap(junk);
            if (random.nextBoolean()) {
                entry.putInt(56, entry.getInt(56) & 0xff00_0000 | pair().number());
            }
            if (random.nextBoolean()) {
                entry.putInt(32, isShared() ? receives().number() : 0);
            }
            MemorySegment.copy(junk, 0, FakeMlx5Kernel.at(queue.buffer + (long) i * BLOCK, BLOCK), JAVA_BYTE, 0, BLOCK);
        }
    }

    @Override
    public byte[] memory() {
        return kernel.memory();
    }

    @Override
    public void failCall(int nth) {
        kernel.failAny(nth);
    }

    @Override
    public boolean hasFailed() {
        return !kernel.failureIsToCome();
    }

    @Override
    public List<String> left() {
        return kernel.left();
    }

    @Override
    public void close() {
        context.close();
        kernel.free();
    }
}
