// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

/// Outcome of a work request (`enum ibv_wc_status`; IBA vol. 1, 11.6.2).
///
/// The kernel may report a value that this version of verbs4j does not name. Its text form is `UNKNOWN(n)`.
///
/// @param value the kernel's number (`IB_WC_*`, include/rdma/ib_verbs.h)
public record CompletionStatus(int value) {
    private static final CodeNames NAMES = new CodeNames(
            "SUCCESS",
            "LOCAL_LENGTH_ERROR",
            "LOCAL_QP_OPERATION_ERROR",
            "LOCAL_EEC_OPERATION_ERROR",
            "LOCAL_PROTECTION_ERROR",
            "WORK_REQUEST_FLUSHED",
            "MEMORY_WINDOW_BIND_ERROR",
            "BAD_RESPONSE",
            "LOCAL_ACCESS_ERROR",
            "REMOTE_INVALID_REQUEST",
            "REMOTE_ACCESS_ERROR",
            "REMOTE_OPERATION_ERROR",
            "RETRY_EXCEEDED",
            "RECEIVER_NOT_READY_RETRY_EXCEEDED",
            "LOCAL_RDD_VIOLATION",
            "REMOTE_INVALID_RD_REQUEST",
            "REMOTE_ABORTED",
            "INVALID_EEC_NUMBER",
            "INVALID_EEC_STATE",
            "FATAL",
            "RESPONSE_TIMEOUT",
            "GENERAL_ERROR",
            "TAG_MATCHING_ERROR",
            "TAG_MATCHING_RENDEZVOUS_INCOMPLETE");

    /// One shared instance per named value, so that reading a status allocates nothing.
    private static final CompletionStatus[] KNOWN = instances();

    /// The work request succeeded.
    public static final CompletionStatus SUCCESS = of(0);

    /// A message does not fit the local buffers.
    public static final CompletionStatus LOCAL_LENGTH_ERROR = of(1);

    /// The work request is not valid for the queue pair. On rxe also: a receive is shorter than its message, its lkey
    /// is wrong, its addresses exceed the region, or the region is closed or lacks LOCAL_WRITE.
    public static final CompletionStatus LOCAL_QP_OPERATION_ERROR = of(2);

    /// A local buffer is not covered by its lkey.
    public static final CompletionStatus LOCAL_PROTECTION_ERROR = of(4);

    /// The device did not complete the work request, because the queue pair was in ERR or entered it.
    public static final CompletionStatus WORK_REQUEST_FLUSHED = of(5);

    /// A memory window could not be bound.
    public static final CompletionStatus MEMORY_WINDOW_BIND_ERROR = of(6);

    /// The peer rejected the request: its queue pair does not permit the operation, or an atomic's address is
    /// misaligned. On rxe also: a receive of a shared receive queue is too short for a datagram with its header.
    public static final CompletionStatus REMOTE_INVALID_REQUEST = of(9);

    /// The rkey, the range or the rights of the memory at the peer do not permit the access.
    public static final CompletionStatus REMOTE_ACCESS_ERROR = of(10);

    /// The peer could not complete the request: its receive was too short or invalid.
    public static final CompletionStatus REMOTE_OPERATION_ERROR = of(11);

    /// No acknowledgement arrived within all retries: the peer is closed, not connected or not reachable.
    public static final CompletionStatus RETRY_EXCEEDED = of(12);

    /// The peer had no receive posted within all receiver-not-ready retries.
    public static final CompletionStatus RECEIVER_NOT_READY_RETRY_EXCEEDED = of(13);

    /// The device failed.
    public static final CompletionStatus FATAL = of(19);

    private static CompletionStatus[] instances() {
        var known = new CompletionStatus[24];
        for (int i = 0; i < known.length; i++) {
            known[i] = new CompletionStatus(i);
        }
        return known;
    }

    /// Returns the status for a kernel value. Allocates nothing for values that have a name.
    public static CompletionStatus of(int value) {
        return value >= 0 && value < KNOWN.length ? KNOWN[value] : new CompletionStatus(value);
    }

    /// Returns whether this version of verbs4j has a name for the value.
    public boolean known() {
        return NAMES.known(value);
    }

    /// Returns the usual cause of the status, as a text for a log or an error message.
    public String likelyCause() {
        return switch (value) {
            case 0 -> "the work request completed";
            case 1 -> "the message does not fit the posted buffers or exceeds the port's maximum message size";
            case 2 ->
                "the work request is not valid for this queue pair. On rxe also: the receive is shorter"
                        + " than the message, its lkey is wrong, its buffer exceeds the region, or the region is"
                        + " closed or lacks LOCAL_WRITE";
            case 4 ->
                "the local buffer exceeds its memory region, the lkey is wrong, or the region lacks LOCAL_WRITE";
            case 5 ->
                "the queue pair is in the ERR state; an earlier failed completion shows the reason. Rxe"
                        + " since Linux 6.12 also reports local errors by this status: a wrong lkey or length, or a"
                        + " network interface whose MTU was lowered below the path MTU";
            case 6 -> "the memory window or its region does not permit the bind";
            case 9 ->
                "for a send: the responder's queue pair does not permit the operation (access flags), permits no"
                        + " reads and atomics (max_dest_rd_atomic 0), or an atomic's address is not 8-byte aligned;"
                        + " for a receive: the datagram with its 40 bytes of header is longer than the receive, or"
                        + " the message invalidates a key that the peer must not invalidate";
            case 10 -> "the rkey is wrong or stale, the range exceeds the remote region, or the region lacks the right";
            case 11 -> "the responder's receive buffer is too small or its lkey is invalid";
            case 12 ->
                "the peer is gone, its queue pair is not in RTR or RTS, the QPN or GID is wrong, or packets are lost";
            case 13 -> "the peer posted no receive in time; post receives earlier or raise rnr_retry";
            default -> "no cause is known for this status";
        };
    }

    @Override
    public String toString() {
        return NAMES.name(value);
    }
}
