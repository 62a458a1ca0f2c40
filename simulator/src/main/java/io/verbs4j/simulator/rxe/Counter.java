// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

import io.verbs4j.simulator.profile.Behaviour;
import io.verbs4j.simulator.profile.KernelProfile;
import java.util.Locale;

/// rxe's counters of a port, by their names in `hw_counters` (rxe_hw_counters.c).
public enum Counter {
    /// Packets sent.
    SENT_PKTS,
    /// Packets received.
    RCVD_PKTS,
    /// Duplicate requests.
    DUPLICATE_REQUEST,
    /// Requests after a missing one.
    OUT_OF_SEQ_REQUEST,
    /// Answers that a peer was not ready.
    RCVD_RNR_ERR,
    /// Answers that this end was not ready.
    SEND_RNR_ERR,
    /// Answers that a peer missed a packet.
    RCVD_SEQ_ERR,
    /// Times that the completer was scheduled.
    ACK_DEFERRED,
    /// Requests that failed after all retries.
    RETRY_EXCEEDED_ERR,
    /// Requests that failed after all retries because the peer was not ready.
    RETRY_RNR_EXCEEDED_ERR,
    /// Retries.
    COMPLETER_RETRY_ERR,
    /// Packets that could not be sent.
    SEND_ERR,
    /// Times that the link went down.
    LINK_DOWNED,
    /// Sends completed.
    RDMA_SENDS,
    /// Receives completed.
    RDMA_RECVS,
    /// Bytes sent.
    SENT_BYTES,
    /// Bytes received.
    RCVD_BYTES;

    /// Returns whether a kernel has the counter.
    public boolean isOf(KernelProfile profile) {
        return (this != SENT_BYTES && this != RCVD_BYTES) || profile.has(Behaviour.COUNTS_BYTES);
    }

    /// Returns its name in sysfs.
    public String fileName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
