// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.profile;

import static io.verbs4j.simulator.profile.KernelProfile.LINUX_6_1;
import static io.verbs4j.simulator.profile.KernelProfile.LINUX_6_12;
import static io.verbs4j.simulator.profile.KernelProfile.LINUX_7_2;
import static io.verbs4j.simulator.profile.KernelProfile.SPECIFICATION;

import java.util.EnumSet;
import java.util.Set;

/// Behaviour of rxe that differs between kernels, or from the specification (docs/rxe-quirks.md). The simulated device
/// checks these constants, never a version. Each constant lists the kernels with this behaviour.
public enum Behaviour {
    /// A send that fails locally completes as flushed. Its completion does not contain the status of the failure.
    LOCAL_FAILURES_ARE_FLUSHES(LINUX_6_12, LINUX_7_2),
    /// A send with a wrong local key completes with an operation error instead of a protection error.
    WRONG_SEND_KEYS_ARE_OPERATION_ERRORS(LINUX_6_1, LINUX_6_12, LINUX_7_2),
    /// A receive that is too short for its message, or has a wrong key, causes an operation error at both ends.
    BAD_RECEIVES_ARE_OPERATION_ERRORS(LINUX_6_1, LINUX_6_12, LINUX_7_2),
    /// Each receive completion has the flag for a global route header, even if there is no such header.
    RECEIVES_CLAIM_A_ROUTE(LINUX_6_1, LINUX_6_12, LINUX_7_2),
    /// A completed send with immediate data has the flag for immediate data, which only a receive should have.
    SENDS_CLAIM_IMMEDIATE_DATA(LINUX_6_1, LINUX_6_12, LINUX_7_2),
    /// A window permits access to its whole region, beyond its own bounds.
    WINDOWS_REACH_THE_WHOLE_REGION(LINUX_6_1, LINUX_6_12, LINUX_7_2),
    /// A queue that is armed for solicited completions raises no event for failed completions.
    FAILURES_ARE_NOT_SOLICITED(LINUX_6_1, LINUX_6_12, LINUX_7_2),
    /// A queue that is armed for solicited completions raises no event for flushed receives.
    FLUSHED_RECEIVES_ARE_NOT_SOLICITED(LINUX_6_12, LINUX_7_2),
    /// Atomic writes and flushes are supported.
    ATOMIC_WRITE_AND_FLUSH(LINUX_6_12, LINUX_7_2, SPECIFICATION),
    /// A repeated atomic write or flush uses address 0.
    REPEATED_ATOMIC_WRITES_LOSE_THEIR_ADDRESS(LINUX_6_12, LINUX_7_2),
    /// A change of attributes without a new state is not checked against the table of permitted attributes.
    ONLY_STATES_ARE_CHECKED(LINUX_6_12, LINUX_7_2),
    /// Access rights that regions do not support are refused instead of ignored.
    REFUSES_FOREIGN_REGION_RIGHTS(LINUX_6_12, LINUX_7_2, SPECIFICATION),
    /// Access rights that queue pairs do not support are refused instead of ignored.
    REFUSES_FOREIGN_QUEUE_PAIR_RIGHTS(LINUX_6_12, LINUX_7_2, SPECIFICATION),
    /// Memory that the process cannot write to cannot be registered, not even for reading.
    PINS_WRITABLE_MEMORY_ONLY(LINUX_6_1),
    /// A pinned region cannot be longer than 1 GiB.
    REFUSES_LONG_REGIONS(LINUX_6_12, LINUX_7_2),
    /// On-demand paging is supported.
    ON_DEMAND_PAGING(LINUX_7_2),
    /// Regions can be re-registered with another domain or other access rights.
    REREGISTRATION(LINUX_6_12, LINUX_7_2, SPECIFICATION),
    /// A region that was registered without a right to write cannot get one by re-registration.
    MEMORY_STAYS_READ_ONLY(LINUX_6_12, LINUX_7_2),
    /// Queues report the requested capacity instead of the actual one.
    QUEUES_REPORT_WHAT_WAS_ASKED_FOR(LINUX_6_1),
    /// A query reports the current state in `cur_qp_state`.
    REPORTS_THE_CURRENT_STATE(LINUX_6_12, LINUX_7_2, SPECIFICATION),
    /// A queue pair in ERR raises an event when it takes no more receives from its shared queue.
    REPORTS_THE_LAST_RECEIVE(LINUX_6_12, LINUX_7_2, SPECIFICATION),
    /// The responder gets an event when a request has a wrong key.
    REPORTS_ACCESS_ERRORS(LINUX_7_2, SPECIFICATION),
    /// The receiver drops a datagram that is longer than the receive. Without this behaviour, such a datagram moves the
    /// queue pair to ERR.
    DROPS_LONG_DATAGRAMS(LINUX_6_12, LINUX_7_2, SPECIFICATION),
    /// A peer may acknowledge earlier work within the response to a read. The requester mistakes this acknowledgement
    /// for the end of the response.
    STRAY_ACKNOWLEDGEMENTS_END_READS(LINUX_6_12, LINUX_7_2),
    /// The extended query of the device accepts a request with data for the driver.
    EXTENDED_QUERY_TAKES_DRIVER_DATA(LINUX_7_2, SPECIFICATION),
    /// A retry count of 7 means unlimited retries.
    SEVEN_RETRIES_ARE_ENDLESS(LINUX_6_1, LINUX_6_12, LINUX_7_2),
    /// If a work request fails, a later work request that waits for the failed one is still executed. The completer
    /// runs the requester before the queue pair is in ERR.
    WAITING_REQUESTS_OUTRUN_FAILURES(LINUX_6_1),
    /// A queue pair reports drained sends only once, even if it is moved to SQD again.
    DRAINS_ONCE(LINUX_6_1),
    /// The invariant CRC of a flush includes its headers twice.
    FLUSHES_COUNT_THEIR_HEADERS_TWICE(LINUX_6_12, LINUX_7_2),
    /// The maximum message length is 2 GiB. Without this behaviour, the maximum is 8 MiB.
    MESSAGES_OF_2_GIB(LINUX_6_12, LINUX_7_2, SPECIFICATION),
    /// There are counters of sent and received bytes, counted from the IP header on.
    COUNTS_BYTES(LINUX_7_2, SPECIFICATION),
    /// A packet for a queue pair in ERR does not count as received.
    FAILED_QUEUE_PAIRS_TAKE_NOTHING(LINUX_6_1),
    /// A flushed send counts as completed.
    FLUSHED_SENDS_ARE_COUNTED(LINUX_6_1),
    /// The program's own thread sends packets, and handles arriving packets between two sent packets. The peer
    /// therefore answers a packet before the sender sends the next packet of the message, and no packets follow a
    /// packet that fails.
    PEERS_ANSWER_BETWEEN_PACKETS(LINUX_6_1),
    /// The connection manager sets an acknowledgement timeout of 2.1 s for connections. Without this behaviour, the
    /// timeout is 0.54 s.
    CONNECTIONS_WAIT_LONGER(LINUX_6_1),
    /// A packet that exceeds the network interface's MTU is retried indefinitely. Without this behaviour, such a packet
    /// moves the queue pair to ERR.
    LONG_PACKETS_ARE_RETRIED_INDEFINITELY(LINUX_6_1),
    /// Programs may write events of the connection manager.
    PROGRAMS_WRITE_EVENTS(LINUX_7_2, SPECIFICATION);

    @SuppressWarnings("ImmutableEnumChecker") // never changed
    private final Set<KernelProfile> kernels;

    Behaviour(KernelProfile first, KernelProfile... more) {
        kernels = EnumSet.of(first, more);
    }

    boolean isOf(KernelProfile kernel) {
        return kernels.contains(kernel);
    }
}
