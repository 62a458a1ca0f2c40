// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator;

/// Behaviour of rxe that differs from kernel to kernel, or from the specification (docs/rxe-quirks.md). The simulated device
/// asks for these and never for a version.
public enum Behaviour {
    /// A send that fails in the sender itself completes as flushed, and its own status is lost.
    LOCAL_FAILURES_ARE_FLUSHES,
    /// A send with a wrong local key fails as an operation error, not as a protection error.
    WRONG_SEND_KEYS_ARE_OPERATION_ERRORS,
    /// A receive that is too short for its message, or has a wrong key, fails as an operation error at both ends.
    BAD_RECEIVES_ARE_OPERATION_ERRORS,
    /// Every receive claims a global route header.
    RECEIVES_CLAIM_A_ROUTE,
    /// The completion of a send with immediate data claims immediate data itself.
    SENDS_CLAIM_IMMEDIATE_DATA,
    /// A window's bounds are those of its region.
    WINDOWS_REACH_THE_WHOLE_REGION,
    /// A queue that is armed for solicited completions does not report failed ones.
    FAILURES_ARE_NOT_SOLICITED,
    /// Nor of flushed receives.
    FLUSHED_RECEIVES_ARE_NOT_SOLICITED,
    /// There are atomic writes and flushes.
    ATOMIC_WRITE_AND_FLUSH,
    /// An atomic write or a flush that is sent again goes to address 0.
    REPEATED_ATOMIC_WRITES_LOSE_THEIR_ADDRESS,
    /// A change of attributes without a new state is not checked against the table of states.
    ONLY_STATES_ARE_CHECKED,
    /// Rights that a region does not have are refused, not ignored.
    REFUSES_FOREIGN_REGION_RIGHTS,
    /// Rights that a queue pair does not have are refused, not ignored.
    REFUSES_FOREIGN_QUEUE_PAIR_RIGHTS,
    /// Memory that the process cannot write to cannot be registered, not even for reading.
    PINS_WRITABLE_MEMORY_ONLY,
    /// A region that is pinned cannot be longer than 1 GiB.
    REFUSES_LONG_REGIONS,
    /// Memory can be paged on demand.
    ON_DEMAND_PAGING,
    /// Regions can be registered again with another domain or other rights.
    REREGISTRATION,
    /// Queues report what was asked for, not what they hold.
    QUEUES_REPORT_WHAT_WAS_ASKED_FOR,
    /// A query reports the queue pair's present state in `cur_qp_state`.
    REPORTS_THE_CURRENT_STATE,
    /// A queue pair in ERR reports that it takes no more receives from its shared queue.
    REPORTS_THE_LAST_RECEIVE,
    /// The responder of a wrong key gets an event.
    REPORTS_ACCESS_ERRORS,
    /// A datagram that is longer than its receive is dropped; otherwise it ends the queue pair.
    DROPS_LONG_DATAGRAMS,
    /// An acknowledgement of earlier work within a read's answer is taken for the answer's end.
    STRAY_ACKNOWLEDGEMENTS_END_READS,
    /// The extended query takes a part for the driver.
    EXTENDED_QUERY_TAKES_DRIVER_DATA,
    /// Seven retries are retries for ever.
    SEVEN_RETRIES_ARE_ENDLESS,
    /// A work request that waits for the one before it is still done when that one fails: the completer runs the requester
    /// before the queue pair is in ERR.
    WAITING_REQUESTS_OUTRUN_FAILURES,
    /// A queue pair that has drained its sends does not report so again when it is moved to SQD once more.
    DRAINS_ONCE,
    /// The invariant CRC of a flush covers its headers twice.
    FLUSHES_COUNT_THEIR_HEADERS_TWICE,
    /// The longest message is 2 GiB, otherwise 8 MiB.
    MESSAGES_OF_2_GIB,
    /// Bytes are counted, too, from the IP header on.
    COUNTS_BYTES,
    /// A packet for a queue pair in ERR does not count as received.
    FAILED_QUEUE_PAIRS_TAKE_NOTHING,
    /// A send that is flushed counts as one that was done.
    FLUSHED_SENDS_ARE_COUNTED,
    /// A packet is answered before the next one of its message is sent, so that no more follow one that fails: the program's
    /// own thread sends, and takes what arrives between two packets.
    PEERS_ANSWER_BETWEEN_PACKETS,
    /// The connection manager gives connections an acknowledgement timeout of 2.1 s, otherwise 0.54 s.
    CONNECTIONS_WAIT_LONGER,
    /// A packet that the network interface does not carry is tried again without end; otherwise it ends the queue pair.
    LONG_PACKETS_ARE_TRIED_WITHOUT_END,
    /// Programs may write events of the connection manager.
    PROGRAMS_WRITE_EVENTS
}
