// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.mlx5;

import io.verbs4j.abi.uapi.CView;
import io.verbs4j.spi.SharedReceiveQueueRequest;
import io.verbs4j.types.QueuePairCapabilities;
import io.verbs4j.types.QueuePairType;

/// Sizes of queues, computed as in libmlx5, since the kernel checks their consistency.
final class QueueSizes {
    /// Control segment and the segments of a key change: the longest request of RC and UC without buffers.
    private static final int CONNECTED = 192;

    /// Control segment and address vector.
    private static final int DATAGRAM = 64;

    private static final int INLINE_HEAD = 4;
    private static final int SHORTEST_SHARED = 32;
    private static final int MAX_COMPLETIONS = 1 << 24;

    private QueueSizes() {}

    /// The limits that the device reports.
    record Device(int sendBytes, int receiveBytes, int sendBlocks, int receives, int sharedReceives) {
        static Device read(CView answer) {
            return new Device(
                    answer.getInt("max_sq_desc_sz"),
                    answer.getInt("max_rq_desc_sz"),
                    answer.getInt("max_send_wqebb"),
                    answer.getInt("max_recv_wr"),
                    answer.getInt("max_srq_recv_wr"));
        }
    }

    /// A send queue.
    ///
    /// @param blocks of 64 bytes, a power of two, or 0
    /// @param capacity work requests
    /// @param inline bytes of an inline payload
    record Send(int blocks, int capacity, int inline) {}

    /// A receive queue.
    ///
    /// @param count elements, a power of two, or 0
    /// @param shift logarithm of an element's bytes
    record Receive(int count, int shift) {
        long bytes() {
            return (long) count << shift;
        }
    }

    /// A shared receive queue.
    ///
    /// @param count elements, a power of two
    /// @param usable number of the list's elements; one of them is never posted
    /// @param shift logarithm of an element's bytes
    record Shared(int count, int usable, int shift) {}

    static int maxInline(Device device) {
        return Math.max(device.sendBytes() - CONNECTED - INLINE_HEAD, 0);
    }

    static Send send(Device device, QueuePairType type, QueuePairCapabilities wanted) {
        if (wanted.maxSendWorkRequests() == 0) {
            return new Send(0, 0, wanted.maxInlineData());
        }
        int head = type == QueuePairType.UD ? DATAGRAM : CONNECTED;
        long buffers = head + (long) wanted.maxSendScatterGather() * Segments.UNIT;
        long inline = wanted.maxInlineData() == 0
                ? 0
                : head + align((long) INLINE_HEAD + wanted.maxInlineData(), Segments.UNIT);
        long longest = align(Math.max(buffers, inline), Segments.BLOCK);
        if (longest > device.sendBytes()) {
            throw new IllegalArgumentException("maxSendScatterGather=" + wanted.maxSendScatterGather()
                    + ", maxInlineData="
                    + wanted.maxInlineData() + " need a work request of " + longest + " bytes; the device takes "
                    + device.sendBytes());
        }
        long bytes = power(longest * wanted.maxSendWorkRequests());
        if (bytes / Segments.BLOCK > device.sendBlocks()) {
            throw new IllegalArgumentException("maxSendWorkRequests=" + wanted.maxSendWorkRequests() + " need "
                    + bytes / Segments.BLOCK + " blocks; the device takes " + device.sendBlocks());
        }
        return new Send(
                (int) (bytes / Segments.BLOCK), (int) (bytes / longest), (int) (longest - head - INLINE_HEAD));
    }

    static Receive receive(Device device, QueuePairCapabilities wanted) {
        int count = wanted.maxReceiveWorkRequests();
        if (count == 0) {
            return new Receive(0, 0);
        }
        long bytes = power((long) Math.max(wanted.maxReceiveScatterGather(), 1) * Segments.UNIT);
        if (count > device.receives() || bytes > device.receiveBytes()) {
            throw new IllegalArgumentException("maxReceiveWorkRequests=" + count + " is not in 0.." + device.receives()
                    + ", or maxReceiveScatterGather=" + wanted.maxReceiveScatterGather() + " not in 0.."
                    + device.receiveBytes() / Segments.UNIT);
        }
        long all = Math.max(power(count) * bytes, Segments.BLOCK);
        return new Receive((int) (all / bytes), Long.numberOfTrailingZeros(bytes));
    }

    /// libmlx5 creates twice as many elements if the device supports it. The second list is for receives that cause a
    /// page fault. This provider cannot register such memory, and only reserves the list.
    static Shared shared(Device device, SharedReceiveQueueRequest request) {
        long bytes = Math.max(
                power((long) Segments.UNIT * (1L + request.maxScatterGather())), SHORTEST_SHARED);
        if (request.maxWorkRequests() > device.sharedReceives() || bytes > device.receiveBytes()) {
            throw new IllegalArgumentException("maxWorkRequests=" + request.maxWorkRequests() + " is not in 1.."
                    + device.sharedReceives() + ", or maxScatterGather=" + request.maxScatterGather() + " not in 0.."
                    + (device.receiveBytes() / Segments.UNIT - 1));
        }
        long doubled = request.maxWorkRequests() * 2L + 1;
        int usable = (int) power(request.maxWorkRequests() + 1L);
        int count = doubled > device.sharedReceives() ? usable : (int) power(doubled);
        return new Shared(count, usable, Long.numberOfTrailingZeros(bytes));
    }

    static int completions(int entries) {
        long count = power(entries + 1L);
        if (entries < 1 || count > MAX_COMPLETIONS) {
            throw new IllegalArgumentException("entries=" + entries + " is not in 1.." + (MAX_COMPLETIONS - 1));
        }
        return (int) count;
    }

    private static long align(long bytes, int unit) {
        return bytes + unit - 1 & -unit;
    }

    /// Returns the next power of two.
    private static long power(long number) {
        return number <= 1 ? 1 : Long.highestOneBit(2 * number - 1);
    }
}
