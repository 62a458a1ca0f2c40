// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi.ring;

import io.verbs4j.types.WorkRequestOpcode;
import java.lang.foreign.MemorySegment;

/// The checks of send work requests against a driver's limits: opcode, flags, lengths and numbers of buffers. Each
/// method returns normally, without allocating anything, if the work request may be written into the ring. Otherwise,
/// the method throws, and the ring stays unchanged. [WorkRequestErrors] determines the reasons, so that the methods of
/// this class stay small enough to be inlined. The parameter `requested` contains the flags that the caller has
/// requested, bits of [io.verbs4j.types.SendFlags].
public final class SendChecks {
    private final SendLimits limits;
    private final int flags;
    private final int transfers;
    private final int inlineTransfers;
    private final int datagrams;
    private final int inlineDatagrams;
    private final int atomics;
    private final int plain;
    private final int maxScatterGather;
    private final int maxReadScatterGather;

    /// [SendLimits#maxMessage()], for lengths of type `int`.
    private final int maxLength;

    private final long maxMessage;
    private final int maxInlineData;

    /// Prepares the checks.
    ///
    /// @param limits limits of the queue
    public SendChecks(SendLimits limits) {
        SendLimits.Operations operations = limits.operations();
        this.limits = limits;
        this.flags = limits.flags();
        this.transfers = operations.transfers();
        this.inlineTransfers = operations.transfers() & operations.inline();
        this.datagrams = operations.datagrams();
        this.inlineDatagrams = operations.datagrams() & operations.inline();
        this.atomics = operations.atomics();
        this.plain = operations.plain();
        this.maxScatterGather = limits.maxScatterGather();
        this.maxReadScatterGather = limits.maxReadScatterGather();
        this.maxMessage = limits.maxMessage();
        this.maxLength = (int) Math.min(maxMessage, Integer.MAX_VALUE);
        this.maxInlineData = limits.maxInlineData();
    }

    /// Returns the limits.
    public SendLimits limits() {
        return limits;
    }

    /// Checks a send, write or read with one buffer or without a buffer.
    ///
    /// @param elements 0 or 1
    public void transfer(int opcode, int requested, int length, int elements) {
        if (!OpcodeSet.has(transfers, opcode)
                || (requested & ~flags) != 0
                || length < 0
                || length > maxLength
                || elements > maxScatterGather) {
            throw WorkRequestErrors.transfer(limits, opcode, requested, length, elements);
        }
    }

    /// Checks a send, write or read with a list of buffers.
    ///
    /// @param total sum of the buffers' lengths
    /// @param elements the number of buffers; the caller reads it from the list once, because another thread may
    ///     change the list
    public void transferList(int opcode, int requested, long total, int elements) {
        if (!OpcodeSet.has(transfers, opcode)
                || (requested & ~flags) != 0
                || total > maxMessage
                || elements > maxScatterGather
                || (opcode == WorkRequestOpcode.RDMA_READ && elements > maxReadScatterGather)) {
            throw WorkRequestErrors.transfer(limits, opcode, requested, total, elements);
        }
    }

    /// Checks a send or write with an inline payload.
    public void transferInline(int opcode, int requested, MemorySegment source, long offset, int length) {
        inline(inlineTransfers, opcode, requested, source, offset, length, maxMessage);
    }

    /// Checks a datagram with one buffer, or none.
    ///
    /// @param elements 0 or 1
    /// @param mtu the longest datagram that the port currently supports, in bytes
    public void datagram(int opcode, int requested, int length, int elements, int mtu) {
        if (!OpcodeSet.has(datagrams, opcode)
                || (requested & ~flags) != 0
                || length < 0
                || length > mtu
                || elements > maxScatterGather) {
            throw WorkRequestErrors.datagram(limits, opcode, requested, length, mtu, elements);
        }
    }

    /// Checks a datagram with a list of buffers.
    ///
    /// @param total sum of the buffers' lengths
    /// @param elements the number of buffers, as in [#transferList]
    /// @param mtu the longest datagram that the port currently supports, in bytes
    public void datagramList(int opcode, int requested, long total, int elements, int mtu) {
        if (!OpcodeSet.has(datagrams, opcode)
                || (requested & ~flags) != 0
                || total > mtu
                || elements > maxScatterGather) {
            throw WorkRequestErrors.datagram(limits, opcode, requested, total, mtu, elements);
        }
    }

    /// Checks a datagram with an inline payload.
    ///
    /// @param mtu the longest datagram that the port currently supports, in bytes
    public void datagramInline(int opcode, int requested, MemorySegment source, long offset, int length, int mtu) {
        inline(inlineDatagrams, opcode, requested, source, offset, length, mtu);
    }

    private void inline(
            int set, int opcode, int requested, MemorySegment source, long offset, int length, long longest) {
        if (!OpcodeSet.has(set, opcode)
                || (requested & ~flags) != 0
                || length < 0
                || length > maxInlineData
                || length > longest) {
            throw WorkRequestErrors.inline(limits, set, opcode, requested, longest, length);
        }
        if (offset < 0 || offset > source.byteSize() - length) {
            throw WorkRequestErrors.source(offset, length, source.byteSize());
        }
    }

    /// Checks a compare-and-swap or fetch-and-add.
    ///
    /// @param length bytes of the buffer for the result
    public void atomic(int opcode, int requested, long remoteAddress, int length) {
        if (!OpcodeSet.has(atomics, opcode)
                || (requested & ~flags) != 0
                || (remoteAddress & 7) != 0
                || length != Long.BYTES
                || maxScatterGather == 0) {
            throw WorkRequestErrors.atomic(limits, opcode, requested, remoteAddress, length);
        }
    }

    /// Checks an operation without a payload.
    public void plain(int opcode, int requested) {
        if (!OpcodeSet.has(plain, opcode) || (requested & ~flags) != 0) {
            throw WorkRequestErrors.plain(limits, plain, opcode, requested);
        }
    }
}
