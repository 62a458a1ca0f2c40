// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.spi.Completion;
import io.verbs4j.types.CompletionOpcode;
import io.verbs4j.types.CompletionStatus;

/// The outcome of one work request: a view that the next completion overwrites, so that polling allocates nothing.
///
/// A failed work request is data, not an exception. On failure only [#workRequestId()], [#statusCode()], [#vendorError()] and
/// [#queuePairNumber()] mean something.
///
/// @see <a href="https://man7.org/linux/man-pages/man3/ibv_poll_cq.3.html">ibv_poll_cq(3)</a>
public final class WorkCompletion {
    private final Completion completion;

    WorkCompletion(Completion completion) {
        this.completion = completion;
    }

    /// The identifier that the work request was posted with.
    public long workRequestId() {
        return completion.workRequestId();
    }

    /// Returns whether the work request did what it says.
    public boolean isSuccess() {
        return completion.status() == 0;
    }

    /// The status; no allocation for statuses that have a name.
    public CompletionStatus status() {
        return CompletionStatus.of(completion.status());
    }

    /// The status as the kernel's number.
    public int statusCode() {
        return completion.status();
    }

    /// The opcode as the kernel's number; see [CompletionOpcode].
    public int opcode() {
        return completion.opcode();
    }

    /// Returns whether a receive completed, by a message or by an RDMA write with immediate data. Only on success.
    public boolean isReceive() {
        return (completion.opcode() & CompletionOpcode.RECEIVE.value()) != 0;
    }

    /// The driver's own error code; 0 on rxe.
    public int vendorError() {
        return completion.vendorError();
    }

    /// Bytes transferred. Of a received datagram this includes the 40 bytes of the global route header.
    public int byteLength() {
        return completion.byteLength();
    }

    /// Returns whether the peer sent immediate data.
    public boolean hasImmediateData() {
        return (completion.flags() & Completion.WITH_IMMEDIATE) != 0;
    }

    /// The peer's immediate data, as the number that the peer passed; see [#hasImmediateData()].
    public int immediateData() {
        return completion.immediateDataOrKey();
    }

    /// Returns whether the peer invalidated a key of ours.
    public boolean hasInvalidatedKey() {
        return (completion.flags() & Completion.WITH_INVALIDATE) != 0;
    }

    /// The rkey that the peer invalidated; see [#hasInvalidatedKey()].
    public int invalidatedKey() {
        return completion.immediateDataOrKey();
    }

    /// Returns whether the first 40 bytes of a datagram's receive buffer hold the global route header. rxe sets it on every receive.
    public boolean hasGlobalRouteHeader() {
        return (completion.flags() & Completion.GRH) != 0;
    }

    /// Number of our queue pair that the work request belongs to.
    public int queuePairNumber() {
        return completion.queuePairNumber();
    }

    /// Number of the sender's queue pair; of received datagrams only.
    public int sourceQueuePairNumber() {
        return completion.sourceQueuePair();
    }

    /// P_Key index; of received datagrams only.
    public int pkeyIndex() {
        return completion.pkeyIndex();
    }

    /// The sender's LID; 0 on RoCE.
    public int sourceLid() {
        return completion.sourceLid();
    }

    /// Service level; 0 on rxe.
    public int serviceLevel() {
        return completion.serviceLevel();
    }

    /// Path bits of our LID; 0 on RoCE.
    public int pathBits() {
        return completion.pathBits();
    }

    /// A copy that stays valid.
    public CompletionRecord toRecord() {
        return new CompletionRecord(
                completion.workRequestId(),
                status(),
                new CompletionOpcode(completion.opcode()),
                completion.vendorError(),
                completion.byteLength(),
                hasImmediateData(),
                hasInvalidatedKey(),
                completion.immediateDataOrKey(),
                completion.queuePairNumber(),
                completion.sourceQueuePair(),
                hasGlobalRouteHeader(),
                pkeyIndex(),
                sourceLid(),
                serviceLevel(),
                pathBits());
    }

    /// Identifier, status and, on failure, its usual cause.
    @Override
    public String toString() {
        return toRecord().toString();
    }
}
