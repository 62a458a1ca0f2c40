// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.mlx5;

import static io.verbs4j.abi.os.RawMemory.ADDRESSES;
import static io.verbs4j.abi.os.RawMemory.ALL;
import static io.verbs4j.types.WorkRequestOpcode.ATOMIC_WRITE;
import static io.verbs4j.types.WorkRequestOpcode.BIND_MEMORY_WINDOW;
import static io.verbs4j.types.WorkRequestOpcode.COMPARE_AND_SWAP;
import static io.verbs4j.types.WorkRequestOpcode.FLUSH;
import static io.verbs4j.types.WorkRequestOpcode.LOCAL_INVALIDATE;

import io.verbs4j.spi.ProviderAddressHandle;
import io.verbs4j.spi.SendQueueOps;
import io.verbs4j.spi.SendTemplate;
import io.verbs4j.types.Errno;
import io.verbs4j.types.NotSupportedException;
import io.verbs4j.types.PostResult;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.ScatterGatherList;
import io.verbs4j.types.WorkRequestOpcode;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/// The producer side of a send queue. Each method writes the segments that libmlx5 writes, in words of 8 bytes, and no others:
/// what it leaves of an earlier work request, such as the bytes behind an inline payload, the device does not look at.
final class Mlx5SendQueue extends SendQueueOps {
    private static final int NUMBER_BITS = 24;

    private final SendBlocks blocks;
    private final Limits limits;
    private final KeyChanges keys;
    private final int transfers;
    private final int datagrams;

    Mlx5SendQueue(SendBlocks blocks, Limits limits, NumberTable<Mlx5MemoryWindow> windows) {
        this.blocks = blocks;
        this.limits = limits;
        this.keys = new KeyChanges(blocks, windows);
        this.transfers = limits.transfers();
        this.datagrams = limits.datagrams();
    }

    SendBlocks blocks() {
        return blocks;
    }

    @Override
    public int capacity() {
        return blocks.capacity();
    }

    @Override
    public int maxScatterGather() {
        return limits.maxScatterGather();
    }

    @Override
    public int maxInlineData() {
        return limits.maxInlineData();
    }

    @Override
    public void begin() {
        blocks.begin();
    }

    @Override
    public int transfer(
            int opcode,
            long workRequestId,
            int flags,
            long localAddress,
            int length,
            int lkey,
            long remoteAddress,
            int rkey,
            int immediateDataOrKey) {
        limits.check(transfers, opcode, flags, length, length == 0 ? 0 : 1);
        long at = blocks.claim();
        if (at == SendBlocks.FULL) {
            return PostResult.QUEUE_FULL;
        }
        int size = remote(at, opcode, remoteAddress, rkey);
        if (length != 0) {
            element(at + ((long) size << Segments.UNIT_SHIFT), localAddress, length, lkey);
            size++;
        }
        return posted(at, opcode, size, flags, immediateDataOrKey, workRequestId);
    }

    @Override
    public int transfer(
            int opcode,
            long workRequestId,
            int flags,
            ScatterGatherList list,
            long remoteAddress,
            int rkey,
            int immediateDataOrKey) {
        limits.check(transfers, opcode, flags, list.totalLength(), list.size());
        long at = blocks.claim();
        if (at == SendBlocks.FULL) {
            return PostResult.QUEUE_FULL;
        }
        int size = remote(at, opcode, remoteAddress, rkey);
        size += elements(at + ((long) size << Segments.UNIT_SHIFT), list);
        return posted(at, opcode, size, flags, immediateDataOrKey, workRequestId);
    }

    @Override
    public int transferInline(
            int opcode,
            long workRequestId,
            int flags,
            MemorySegment source,
            long offset,
            int length,
            long remoteAddress,
            int rkey,
            int immediateDataOrKey) {
        limits.checkInline(transfers, opcode, flags, source.byteSize(), offset, length);
        long at = blocks.claim();
        if (at == SendBlocks.FULL) {
            return PostResult.QUEUE_FULL;
        }
        int size = remote(at, opcode, remoteAddress, rkey);
        size += payload(at + ((long) size << Segments.UNIT_SHIFT), source, offset, length);
        return posted(at, opcode, size, flags, immediateDataOrKey, workRequestId);
    }

    @Override
    public int datagram(
            int opcode,
            long workRequestId,
            int flags,
            long localAddress,
            int length,
            int lkey,
            ProviderAddressHandle addressHandle,
            int remoteQueuePair,
            int remoteQkey,
            int immediateData) {
        limits.check(datagrams, opcode, flags, length, length == 0 ? 0 : 1);
        Mlx5AddressHandle handle = destination(addressHandle, remoteQueuePair);
        long at = blocks.claim();
        if (at == SendBlocks.FULL) {
            return PostResult.QUEUE_FULL;
        }
        int size = handle.write(at, remoteQueuePair, remoteQkey);
        if (length != 0) {
            element(blocks.wrap(at + Segments.BLOCK), localAddress, length, lkey);
            size++;
        }
        return posted(at, opcode, size, flags, immediateData, workRequestId);
    }

    @Override
    public int datagram(
            int opcode,
            long workRequestId,
            int flags,
            ScatterGatherList list,
            ProviderAddressHandle addressHandle,
            int remoteQueuePair,
            int remoteQkey,
            int immediateData) {
        limits.check(datagrams, opcode, flags, list.totalLength(), list.size());
        Mlx5AddressHandle handle = destination(addressHandle, remoteQueuePair);
        long at = blocks.claim();
        if (at == SendBlocks.FULL) {
            return PostResult.QUEUE_FULL;
        }
        int size = handle.write(at, remoteQueuePair, remoteQkey);
        size += elements(blocks.wrap(at + Segments.BLOCK), list);
        return posted(at, opcode, size, flags, immediateData, workRequestId);
    }

    @Override
    public int datagramInline(
            int opcode,
            long workRequestId,
            int flags,
            MemorySegment source,
            long offset,
            int length,
            ProviderAddressHandle addressHandle,
            int remoteQueuePair,
            int remoteQkey,
            int immediateData) {
        limits.checkInline(datagrams, opcode, flags, source.byteSize(), offset, length);
        Mlx5AddressHandle handle = destination(addressHandle, remoteQueuePair);
        long at = blocks.claim();
        if (at == SendBlocks.FULL) {
            return PostResult.QUEUE_FULL;
        }
        int size = handle.write(at, remoteQueuePair, remoteQkey);
        size += payload(blocks.wrap(at + Segments.BLOCK), source, offset, length);
        return posted(at, opcode, size, flags, immediateData, workRequestId);
    }

    /// Fetch-and-add has no operand to compare with: its place keeps what was there.
    @Override
    public int atomic(
            int opcode,
            long workRequestId,
            int flags,
            long localAddress,
            int lkey,
            long remoteAddress,
            int rkey,
            long compareOrAdd,
            long swap) {
        limits.checkAtomic(opcode, flags, remoteAddress);
        long at = blocks.claim();
        if (at == SendBlocks.FULL) {
            return PostResult.QUEUE_FULL;
        }
        long base = at & ADDRESSES;
        Segments.LONG.set(ALL, base + 16, remoteAddress);
        Segments.LONG.set(ALL, base + 24, Segments.pair(rkey, 0));
        if (opcode == COMPARE_AND_SWAP) {
            Segments.LONG.set(ALL, base + 32, swap);
            Segments.LONG.set(ALL, base + 40, compareOrAdd);
        } else {
            Segments.LONG.set(ALL, base + 32, compareOrAdd);
        }
        element(at + 48, localAddress, Long.BYTES, lkey);
        return blocks.posted(at, Limits.wire(opcode), 4, flags, 0, workRequestId, 0);
    }

    @Override
    public int atomicWrite(long workRequestId, int flags, long value, long remoteAddress, int rkey) {
        throw notSupported(ATOMIC_WRITE);
    }

    @Override
    public int flush(long workRequestId, int flags, long remoteAddress, int length, int rkey, int type, int level) {
        throw notSupported(FLUSH);
    }

    private static NotSupportedException notSupported(int opcode) {
        return new NotSupportedException(
                "post " + WorkRequestOpcode.name(opcode),
                Errno.EOPNOTSUPP,
                "mlx5 cards do not have the operation");
    }

    @Override
    public int localInvalidate(long workRequestId, int flags, int key) {
        limits.checkKeyChange(LOCAL_INVALIDATE, flags);
        return keys.invalidate(workRequestId, flags, key);
    }

    @Override
    public int bindMemoryWindow(
            long workRequestId,
            int flags,
            int currentKey,
            int newKey,
            int regionKey,
            long address,
            long length,
            int accessFlags) {
        limits.checkKeyChange(BIND_MEMORY_WINDOW, flags);
        return keys.bind(workRequestId, flags, currentKey, newKey, regionKey, address, length, accessFlags);
    }

    @Override
    public SendTemplate prepare(Consumer<SendQueueOps> encode) {
        return Mlx5SendTemplate.encode(this, limits, encode);
    }

    /// A queue like this one, of which no device knows, for templates.
    Mlx5SendQueue scratch(QueueMemory memory, int count) {
        var apart = new SendBlocks(memory, 0, count, 1, blocks.number(), false, null);
        return new Mlx5SendQueue(apart, limits, keys.windows());
    }

    @Override
    public int post(SendTemplate template) {
        Mlx5SendTemplate ours = template(template);
        if (limits.type() == QueuePairType.UD) {
            throw new IllegalStateException("a datagram is posted to a destination");
        }
        long at = blocks.claim();
        return at == SendBlocks.FULL ? PostResult.QUEUE_FULL : ours.copyTo(blocks, at);
    }

    @Override
    public int postDatagram(
            SendTemplate template, ProviderAddressHandle addressHandle, int remoteQueuePair, int remoteQkey) {
        Mlx5SendTemplate ours = template(template);
        Mlx5AddressHandle handle = destination(addressHandle, remoteQueuePair);
        long at = blocks.claim();
        if (at == SendBlocks.FULL) {
            return PostResult.QUEUE_FULL;
        }
        int result = ours.copyTo(blocks, at);
        handle.write(at, remoteQueuePair, remoteQkey);
        return result;
    }

    private Mlx5SendTemplate template(SendTemplate template) {
        if (template instanceof Mlx5SendTemplate ours && ours.isFor(this)) {
            return ours;
        }
        throw Limits.illegal("the template was prepared by another queue");
    }

    @Override
    public int publish() {
        return blocks.publish();
    }

    @Override
    public void abandon() {
        blocks.abandon();
    }

    /// Rung by [#publish()]: it must follow the doorbell record.
    @Override
    public int doorbell() {
        return 0;
    }

    private int posted(long at, int opcode, int size, int flags, int data, long workRequestId) {
        int carried = Limits.has(Limits.WITH_DATA, opcode) ? data : 0;
        return blocks.posted(at, Limits.wire(opcode), size, flags, carried, workRequestId, 0);
    }

    /// @return segments up to the first buffer
    private static int remote(long at, int opcode, long remoteAddress, int rkey) {
        if (!Limits.has(Limits.WITH_REMOTE, opcode)) {
            return 1;
        }
        Segments.LONG.set(ALL, (at & ADDRESSES) + 16, remoteAddress);
        Segments.LONG.set(ALL, (at & ADDRESSES) + 24, Segments.pair(rkey, 0));
        return 2;
    }

    static void element(long at, long address, int length, int lkey) {
        Segments.LONG.set(ALL, at & ADDRESSES, Segments.pair(length, lkey));
        Segments.LONG.set(ALL, (at & ADDRESSES) + 8, address);
    }

    /// An empty buffer is left out: the device takes the length 0 for 2 GiB.
    private int elements(long first, ScatterGatherList list) {
        long at = first;
        int count = 0;
        for (int i = 0; i < list.size(); i++) {
            if (list.length(i) != 0) {
                at = blocks.wrap(at);
                element(at, list.address(i), list.length(i), list.lkey(i));
                at += Segments.UNIT;
                count++;
            }
        }
        return count;
    }

    /// @return segments
    private int payload(long at, MemorySegment source, long offset, int length) {
        if (length == 0) {
            return 0;
        }
        Segments.INT.set(ALL, at & ADDRESSES, 0x80000000 | length);
        int first = Math.min(length, blocks.room(at + Integer.BYTES));
        MemorySegment.copy(source, offset, ALL, at + Integer.BYTES, first);
        MemorySegment.copy(source, offset + first, ALL, blocks.start(), length - first);
        return (Integer.BYTES + length + Segments.UNIT - 1) >> Segments.UNIT_SHIFT;
    }

    private Mlx5AddressHandle destination(ProviderAddressHandle handle, int remoteQueuePair) {
        if (!(handle instanceof Mlx5AddressHandle ours) || ours.domain() != limits.domain()) {
            throw Limits.illegal("addressHandle is not one of this queue pair's protection domain");
        }
        if (remoteQueuePair >>> NUMBER_BITS != 0) {
            throw Limits.illegal("remoteQueuePair=0x" + Integer.toHexString(remoteQueuePair)
                    + " has more than 24 bits");
        }
        if (ours.isDestroyed()) {
            throw new IllegalStateException("the address handle is destroyed");
        }
        return ours;
    }
}
