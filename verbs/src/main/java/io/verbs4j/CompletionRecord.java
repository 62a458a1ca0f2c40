// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.types.CompletionOpcode;
import io.verbs4j.types.CompletionStatus;

/// An immutable copy of a [WorkCompletion], which later completions do not overwrite.
///
/// @param workRequestId the identifier that the work request was posted with
/// @param status the outcome
/// @param opcode the kind of the completed work request; meaningful only on success
/// @param vendorError the driver's own error code
/// @param byteLength bytes transferred; for a received datagram, including the 40 bytes of the global route header
/// @param hasImmediateData whether `immediateDataOrKey` is the peer's immediate data
/// @param hasInvalidatedKey whether `immediateDataOrKey` is the rkey that the peer invalidated
/// @param immediateDataOrKey the immediate data or the rkey; without meaning if the completion has neither
/// @param queuePairNumber number of this end's queue pair
/// @param sourceQueuePairNumber number of the sender's queue pair; received datagrams only
/// @param hasGlobalRouteHeader whether a datagram's buffer starts with the global route header
/// @param pkeyIndex P_Key index; received datagrams only
/// @param sourceLid the sender's LID, its address in an InfiniBand subnet; 0 on RoCE
/// @param serviceLevel service level; 0 if the driver does not report it
/// @param pathBits path bits of this end's LID; 0 on RoCE
public record CompletionRecord(
        long workRequestId,
        CompletionStatus status,
        CompletionOpcode opcode,
        int vendorError,
        int byteLength,
        boolean hasImmediateData,
        boolean hasInvalidatedKey,
        int immediateDataOrKey,
        int queuePairNumber,
        int sourceQueuePairNumber,
        boolean hasGlobalRouteHeader,
        int pkeyIndex,
        int sourceLid,
        int serviceLevel,
        int pathBits) {

    /// Returns whether the work request succeeded.
    public boolean isSuccess() {
        return status.equals(CompletionStatus.SUCCESS);
    }

    /// Returns the status as the kernel's number.
    public int statusCode() {
        return status.value();
    }

    /// Returns whether a receive completed: by a message, or by an RDMA write with immediate data. Valid on success
    /// only.
    public boolean isReceive() {
        return (opcode.value() & CompletionOpcode.RECEIVE.value()) != 0;
    }

    /// Returns the number that the peer sent as immediate data. Valid only if [#hasImmediateData()] is true.
    public int immediateData() {
        return immediateDataOrKey;
    }

    /// Returns the rkey that the peer invalidated. Valid only if [#hasInvalidatedKey()] is true.
    public int invalidatedKey() {
        return immediateDataOrKey;
    }

    @Override
    public String toString() {
        return isSuccess()
                ? "work request " + workRequestId + " on queue pair " + queuePairNumber + ": " + opcode + ", "
                        + byteLength
                        + " bytes"
                        + (hasImmediateData ? ", immediate data 0x" + Integer.toHexString(immediateDataOrKey) : "")
                        + (hasInvalidatedKey ? ", invalidated rkey 0x" + Integer.toHexString(immediateDataOrKey) : "")
                : "work request " + workRequestId + " on queue pair " + queuePairNumber + ": " + status + " ("
                        + status.likelyCause() + ")"
                        + (vendorError == 0 ? "" : ", vendor error " + vendorError);
    }
}
