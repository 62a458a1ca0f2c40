// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

import io.verbs4j.simulator.Behaviour;
import io.verbs4j.simulator.KernelProfile;
import java.util.Locale;

/// The counters of rxe on a port, by the names in `hw_counters` (rxe_hw_counters.c).
public enum Counter {
    /// Packets sent.
    SENT_PKTS,
    /// Packets taken in.
    RCVD_PKTS,
    /// Requests that came before.
    DUPLICATE_REQUEST,
    /// Requests after one that is missing.
    OUT_OF_SEQ_REQUEST,
    /// Peers that were not ready.
    RCVD_RNR_ERR,
    /// Requests that we were not ready for.
    SEND_RNR_ERR,
    /// Peers that missed a packet.
    RCVD_SEQ_ERR,
    /// Times that the completer was asked to run.
    ACK_DEFERRED,
    /// Requests whose retries were used up.
    RETRY_EXCEEDED_ERR,
    /// Requests whose peer was not ready once too often.
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
    /// Bytes taken in.
    RCVD_BYTES;

    /// Returns whether a device counts it.
    public boolean isOf(KernelProfile profile) {
        return (this != SENT_BYTES && this != RCVD_BYTES) || profile.has(Behaviour.COUNTS_BYTES);
    }

    /// Its name in sysfs.
    public String fileName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
