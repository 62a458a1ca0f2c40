// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator;

/// Behaviour of rxe that differs between kernels, or from the specification (docs/rxe-quirks.md). The simulated device
/// checks these constants, never a version.
public enum Behaviour {
    /// A send that fails locally completes as flushed. Its own status is lost.
    LOCAL_FAILURES_ARE_FLUSHES,
    /// A send with a wrong local key completes with an operation error instead of a protection error.
    WRONG_SEND_KEYS_ARE_OPERATION_ERRORS,
    /// A receive that is too short for its message, or has a wrong key, causes an operation error at both ends.
    BAD_RECEIVES_ARE_OPERATION_ERRORS,
    /// Each receive completion has the flag of a global route header.
    RECEIVES_CLAIM_A_ROUTE,
    /// The completion of a send with immediate data has the flag of immediate data itself.
    SENDS_CLAIM_IMMEDIATE_DATA,
    /// A window permits access to its whole region, beyond its own bounds.
    WINDOWS_REACH_THE_WHOLE_REGION,
    /// A queue that is armed for solicited completions raises no event for failed ones.
    FAILURES_ARE_NOT_SOLICITED,
    /// A queue that is armed for solicited completions raises no event for flushed receives.
    FLUSHED_RECEIVES_ARE_NOT_SOLICITED,
    /// Atomic writes and flushes are supported.
    ATOMIC_WRITE_AND_FLUSH,
    /// A repeated atomic write or flush uses address 0.
    REPEATED_ATOMIC_WRITES_LOSE_THEIR_ADDRESS,
    /// A change of attributes without a new state is not checked against the table of states.
    ONLY_STATES_ARE_CHECKED,
    /// Access rights that regions do not support are refused instead of ignored.
    REFUSES_FOREIGN_REGION_RIGHTS,
    /// Access rights that queue pairs do not support are refused instead of ignored.
    REFUSES_FOREIGN_QUEUE_PAIR_RIGHTS,
    /// Memory that the process cannot write to cannot be registered, not even for reading.
    PINS_WRITABLE_MEMORY_ONLY,
    /// A pinned region cannot be longer than 1 GiB.
    REFUSES_LONG_REGIONS,
    /// On-demand paging is supported.
    ON_DEMAND_PAGING,
    /// Regions can be re-registered with another domain or other access rights.
    REREGISTRATION,
    /// Queues report the requested capacity instead of the actual one.
    QUEUES_REPORT_WHAT_WAS_ASKED_FOR,
    /// A query reports the current state in `cur_qp_state`.
    REPORTS_THE_CURRENT_STATE,
    /// A queue pair in ERR reports that it takes no more receives from its shared queue.
    REPORTS_THE_LAST_RECEIVE,
    /// The responder gets an event when a request has a wrong key.
    REPORTS_ACCESS_ERRORS,
    /// A datagram that is longer than its receive is dropped. Otherwise it moves the queue pair to ERR.
    DROPS_LONG_DATAGRAMS,
    /// If earlier work is acknowledged within a read's response, the requester takes this for the response's end.
    STRAY_ACKNOWLEDGEMENTS_END_READS,
    /// The extended query accepts a driver part.
    EXTENDED_QUERY_TAKES_DRIVER_DATA,
    /// A retry count of 7 means unlimited retries.
    SEVEN_RETRIES_ARE_ENDLESS,
    /// A work request that waits for a preceding one still executes when that one fails. The completer runs the
    /// requester before the queue pair is in ERR.
    WAITING_REQUESTS_OUTRUN_FAILURES,
    /// A queue pair that has drained its sends does not report this again when it is moved to SQD once more.
    DRAINS_ONCE,
    /// The invariant CRC of a flush includes its headers twice.
    FLUSHES_COUNT_THEIR_HEADERS_TWICE,
    /// The longest message has 2 GiB, otherwise 8 MiB.
    MESSAGES_OF_2_GIB,
    /// Bytes are counted too, from the IP header on.
    COUNTS_BYTES,
    /// A packet for a queue pair in ERR is not counted as received.
    FAILED_QUEUE_PAIRS_TAKE_NOTHING,
    /// A flushed send is counted as completed.
    FLUSHED_SENDS_ARE_COUNTED,
    /// The peer answers a packet before the next one of its message is sent, so no packets follow one that fails. The
    /// program's own thread sends, and handles arriving packets between two of its own.
    PEERS_ANSWER_BETWEEN_PACKETS,
    /// The connection manager sets an acknowledgement timeout of 2.1 s for connections, otherwise 0.54 s.
    CONNECTIONS_WAIT_LONGER,
    /// A packet that exceeds the network interface's MTU is retried indefinitely. Otherwise it moves the queue pair to
    /// ERR.
    LONG_PACKETS_ARE_TRIED_WITHOUT_END,
    /// Programs may write events of the connection manager.
    PROGRAMS_WRITE_EVENTS
}
