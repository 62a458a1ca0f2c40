// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.types.CompletionOpcode;
import io.verbs4j.types.CompletionStatus;

/// A completion that was kept: the immutable form of [WorkCompletion].
///
/// @param workRequestId the identifier that the work request was posted with
/// @param status what became of it
/// @param opcode what completed; meaningful only on success
/// @param vendorError the driver's own error code
/// @param byteLength bytes transferred
/// @param hasImmediateData whether `immediateDataOrKey` is the peer's immediate data
/// @param hasInvalidatedKey whether `immediateDataOrKey` is the rkey that the peer invalidated
/// @param immediateDataOrKey one of the two, else 0
/// @param queuePairNumber our queue pair
/// @param sourceQueuePairNumber the sender's queue pair; datagrams only
/// @param hasGlobalRouteHeader whether a datagram's buffer starts with the global route header
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
        boolean hasGlobalRouteHeader) {

    /// Whether the work request did what it says.
    public boolean isSuccess() {
        return status.equals(CompletionStatus.SUCCESS);
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
