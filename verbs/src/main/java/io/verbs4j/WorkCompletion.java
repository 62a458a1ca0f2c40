// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.spi.Completion;
import io.verbs4j.types.CompletionOpcode;
import io.verbs4j.types.CompletionStatus;

/// The outcome of one work request. The next completion overwrites this object, so that polling allocates nothing.
///
/// A failed work request is reported as a completion, not by an exception. After a failure, only [#workRequestId()],
/// [#statusCode()], [#vendorError()] and [#queuePairNumber()] are valid.
///
/// @see <a href="https://man7.org/linux/man-pages/man3/ibv_poll_cq.3.html">ibv_poll_cq(3)</a>
public final class WorkCompletion {
    private final Completion completion;

    WorkCompletion(Completion completion) {
        this.completion = completion;
    }

    /// Returns the identifier that the work request was posted with.
    public long workRequestId() {
        return completion.workRequestId();
    }

    /// Returns whether the work request succeeded.
    public boolean isSuccess() {
        return completion.status() == 0;
    }

    /// Returns the status. Allocates nothing for statuses that have a name.
    public CompletionStatus status() {
        return CompletionStatus.of(completion.status());
    }

    /// Returns the status as the kernel's number.
    public int statusCode() {
        return completion.status();
    }

    /// Returns the opcode as the kernel's number; see [CompletionOpcode].
    public int opcode() {
        return completion.opcode();
    }

    /// Returns whether a receive completed: by a message, or by an RDMA write with immediate data. Valid on success
    /// only.
    public boolean isReceive() {
        return (completion.opcode() & CompletionOpcode.RECEIVE.value()) != 0;
    }

    /// Returns the driver's own error code; 0 if it has none.
    public int vendorError() {
        return completion.vendorError();
    }

    /// Returns the number of transferred bytes. For a received datagram, the number includes the 40 bytes of the global
    /// route header.
    public int byteLength() {
        return completion.byteLength();
    }

    /// Returns whether the peer sent immediate data.
    public boolean hasImmediateData() {
        return (completion.flags() & Completion.WITH_IMMEDIATE) != 0;
    }

    /// Returns the number that the peer sent as immediate data. Valid only if [#hasImmediateData()] returns true.
    public int immediateData() {
        return completion.immediateDataOrKey();
    }

    /// Returns whether the peer invalidated a key of this end.
    public boolean hasInvalidatedKey() {
        return (completion.flags() & Completion.WITH_INVALIDATE) != 0;
    }

    /// Returns the rkey that the peer invalidated. Valid only if [#hasInvalidatedKey()] returns true.
    public int invalidatedKey() {
        return completion.immediateDataOrKey();
    }

    /// Returns whether the first 40 bytes of a datagram's receive buffer contain the global route header. Some
    /// drivers report true for every receive.
    public boolean hasGlobalRouteHeader() {
        return (completion.flags() & Completion.GRH) != 0;
    }

    /// Returns the number of this end's queue pair.
    public int queuePairNumber() {
        return completion.queuePairNumber();
    }

    /// Returns the number of the sender's queue pair. Valid for received datagrams only.
    public int sourceQueuePairNumber() {
        return completion.sourceQueuePair();
    }

    /// Returns the P_Key index. Valid for received datagrams only.
    public int pkeyIndex() {
        return completion.pkeyIndex();
    }

    /// Returns the sender's LID, its address in an InfiniBand subnet; 0 on RoCE.
    public int sourceLid() {
        return completion.sourceLid();
    }

    /// Returns the service level; 0 if the driver does not report it.
    public int serviceLevel() {
        return completion.serviceLevel();
    }

    /// Returns the path bits of this end's LID; 0 on RoCE.
    public int pathBits() {
        return completion.pathBits();
    }

    /// Returns a copy that stays valid.
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

    /// Returns the identifier, the status and, after a failure, its usual cause.
    @Override
    public String toString() {
        return toRecord().toString();
    }
}
