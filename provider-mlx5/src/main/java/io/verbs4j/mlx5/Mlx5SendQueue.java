// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.mlx5;

import static io.verbs4j.abi.os.RawMemory.ADDRESSES;
import static io.verbs4j.abi.os.RawMemory.ALL;
import static io.verbs4j.types.WorkRequestOpcode.COMPARE_AND_SWAP;

import io.verbs4j.spi.SendQueueOps;
import io.verbs4j.spi.SendRequest;
import io.verbs4j.spi.ring.OpcodeSet;
import io.verbs4j.spi.ring.SendChecks;
import io.verbs4j.spi.ring.SendLimits;
import io.verbs4j.spi.ring.WorkRequestErrors;
import io.verbs4j.types.PostResult;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.ScatterGatherList;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The producer side of a send queue. Each method writes exactly the segments that libmlx5 writes, in words of 8 bytes.
/// The device ignores stale bytes of earlier work requests, such as those after an inline payload.
final class Mlx5SendQueue extends SendQueueOps {
    private static final int NUMBER_BITS = 24;

    private final SendBlocks blocks;
    private final SendChecks checks;
    private final int domain;
    private final KeyChanges keys;
    private final int transfers;
    private final boolean datagrams;
    private final int maxDatagram;

    /// @param domain handle of the protection domain
    Mlx5SendQueue(SendBlocks blocks, SendLimits limits, int domain, NumberTable<Mlx5MemoryWindow> windows) {
        this.blocks = blocks;
        this.checks = new SendChecks(limits);
        this.domain = domain;
        this.keys = new KeyChanges(blocks, windows);
        this.transfers = limits.operations().transfers();
        this.datagrams = limits.type() == QueuePairType.UD;
        this.maxDatagram = (int) Math.min(limits.maxMessage(), Integer.MAX_VALUE);
    }

    @Override
    public int capacity() {
        return blocks.capacity();
    }

    @Override
    public int maxScatterGather() {
        return checks.limits().maxScatterGather();
    }

    @Override
    public int maxInlineData() {
        return checks.limits().maxInlineData();
    }

    @Override
    public void begin() {
        blocks.begin();
    }

    @Override
    public int post(SendRequest request, long address, int length, int lkey) {
        int opcode = request.opcode();
        if (!OpcodeSet.has(transfers, opcode)) {
            return OpcodeSet.has(Operations.ATOMICS, opcode)
                    ? atomic(request, opcode, address, length, lkey)
                    : datagram(request, opcode, address, length, lkey);
        }
        checks.transfer(opcode, request.flags(), length, length == 0 ? 0 : 1);
        long at = blocks.claim();
        if (at == SendBlocks.FULL) {
            return PostResult.QUEUE_FULL;
        }
        int size = remote(at, request, opcode);
        if (length != 0) {
            element(at + ((long) size << Segments.UNIT_SHIFT), address, length, lkey);
            size++;
        }
        return posted(at, request, opcode, size);
    }

    private int datagram(SendRequest request, int opcode, long address, int length, int lkey) {
        checks.datagram(opcode, request.flags(), length, length == 0 ? 0 : 1, maxDatagram);
        Mlx5AddressHandle handle = destination(request);
        long at = blocks.claim();
        if (at == SendBlocks.FULL) {
            return PostResult.QUEUE_FULL;
        }
        int size = handle.write(at, request.remoteQueuePair(), request.remoteQkey());
        if (length != 0) {
            element(blocks.wrap(at + Segments.BLOCK), address, length, lkey);
            size++;
        }
        return posted(at, request, opcode, size);
    }

    /// Fetch-and-add has no compare operand: its field is not written.
    private int atomic(SendRequest request, int opcode, long address, int length, int lkey) {
        checks.atomic(opcode, request.flags(), request.remoteAddress(), length);
        long at = blocks.claim();
        if (at == SendBlocks.FULL) {
            return PostResult.QUEUE_FULL;
        }
        long base = at & ADDRESSES;
        remoteSegment(base, request);
        if (opcode == COMPARE_AND_SWAP) {
            Segments.LONG.set(ALL, base + 32, request.swap());
            Segments.LONG.set(ALL, base + 40, request.operand());
        } else {
            Segments.LONG.set(ALL, base + 32, request.operand());
        }
        element(at + 48, address, Long.BYTES, lkey);
        return posted(at, request, opcode, 4);
    }

    @Override
    public int post(SendRequest request, ScatterGatherList list) {
        int opcode = request.opcode();
        int elements = list.size();
        Mlx5AddressHandle handle = null;
        if (datagrams) {
            checks.datagramList(opcode, request.flags(), list.totalLength(), elements, maxDatagram);
            handle = destination(request);
        } else {
            checks.transferList(opcode, request.flags(), list.totalLength(), elements);
        }
        long at = blocks.claim();
        if (at == SendBlocks.FULL) {
            return PostResult.QUEUE_FULL;
        }
        int size = target(at, request, opcode, handle);
        return posted(at, request, opcode, size + elements(payloadPlace(at, size), list, elements));
    }

    @Override
    public int postInline(SendRequest request, MemorySegment source, long offset, int length) {
        int opcode = request.opcode();
        Mlx5AddressHandle handle = null;
        if (datagrams) {
            checks.datagramInline(opcode, request.flags(), source, offset, length, maxDatagram);
            handle = destination(request);
        } else {
            checks.transferInline(opcode, request.flags(), source, offset, length);
        }
        long at = blocks.claim();
        if (at == SendBlocks.FULL) {
            return PostResult.QUEUE_FULL;
        }
        int size = target(at, request, opcode, handle);
        return posted(at, request, opcode, size + payload(payloadPlace(at, size), source, offset, length));
    }

    @Override
    public int post(SendRequest request) {
        checks.plain(request.opcode(), request.flags());
        return keys.post(request);
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

    /// @param opcode the checked opcode; another thread may change that of the request
    private int posted(long at, SendRequest request, int opcode, int size) {
        int carried = OpcodeSet.has(Operations.WITH_DATA, opcode) ? request.immediateDataOrKey() : 0;
        return blocks.posted(
                at, Operations.wire(opcode), size, request.flags(), carried, request.workRequestId(), 0);
    }

    /// @return segments up to the first buffer
    private static int remote(long at, SendRequest request, int opcode) {
        if (!OpcodeSet.has(Operations.WITH_REMOTE, opcode)) {
            return 1;
        }
        remoteSegment(at & ADDRESSES, request);
        return 2;
    }

    private static void remoteSegment(long base, SendRequest request) {
        Segments.LONG.set(ALL, base + 16, request.remoteAddress());
        Segments.LONG.set(ALL, base + 24, Segments.pair(request.remoteKey(), 0));
    }

    /// @param handle the handle of a datagram
    /// @return segments up to the first buffer
    private static int target(long at, SendRequest request, int opcode, @Nullable Mlx5AddressHandle handle) {
        return handle == null
                ? remote(at, request, opcode)
                : handle.write(at, request.remoteQueuePair(), request.remoteQkey());
    }

    private long payloadPlace(long at, int size) {
        return blocks.wrap(at + ((long) size << Segments.UNIT_SHIFT));
    }

    static void element(long at, long address, int length, int lkey) {
        Segments.LONG.set(ALL, at & ADDRESSES, Segments.pair(length, lkey));
        Segments.LONG.set(ALL, (at & ADDRESSES) + 8, address);
    }

    /// Omits empty buffers: the device reads the length 0 as 2 GiB.
    ///
    /// @param listed the checked number of buffers; another thread may change that of the list
    private int elements(long first, ScatterGatherList list, int listed) {
        long at = first;
        int count = 0;
        for (int i = 0; i < listed; i++) {
            int length = list.length(i);
            if (length != 0) {
                at = blocks.wrap(at);
                element(at, list.address(i), length, list.lkey(i));
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
        int first = Math.min(length, blocks.bytesLeft(at + Integer.BYTES));
        MemorySegment.copy(source, offset, ALL, at + Integer.BYTES, first);
        MemorySegment.copy(source, offset + first, ALL, blocks.start(), length - first);
        return (Integer.BYTES + length + Segments.UNIT - 1) >> Segments.UNIT_SHIFT;
    }

    private Mlx5AddressHandle destination(SendRequest request) {
        if (!(request.addressHandle() instanceof Mlx5AddressHandle ours) || ours.domain() != domain) {
            throw new IllegalArgumentException("addressHandle is not one of this queue pair's protection domain");
        }
        if (request.remoteQueuePair() >>> NUMBER_BITS != 0) {
            throw WorkRequestErrors.queuePairNumber(request.remoteQueuePair());
        }
        if (ours.isDestroyed()) {
            throw new IllegalStateException("the address handle is destroyed");
        }
        return ours;
    }
}
