// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.profile;

import static io.verbs4j.simulator.profile.Behaviour.ATOMIC_WRITE_AND_FLUSH;
import static io.verbs4j.simulator.profile.Behaviour.BAD_RECEIVES_ARE_OPERATION_ERRORS;
import static io.verbs4j.simulator.profile.Behaviour.CONNECTIONS_WAIT_LONGER;
import static io.verbs4j.simulator.profile.Behaviour.COUNTS_BYTES;
import static io.verbs4j.simulator.profile.Behaviour.DRAINS_ONCE;
import static io.verbs4j.simulator.profile.Behaviour.DROPS_LONG_DATAGRAMS;
import static io.verbs4j.simulator.profile.Behaviour.EXTENDED_QUERY_TAKES_DRIVER_DATA;
import static io.verbs4j.simulator.profile.Behaviour.FAILED_QUEUE_PAIRS_TAKE_NOTHING;
import static io.verbs4j.simulator.profile.Behaviour.FAILURES_ARE_NOT_SOLICITED;
import static io.verbs4j.simulator.profile.Behaviour.FLUSHED_RECEIVES_ARE_NOT_SOLICITED;
import static io.verbs4j.simulator.profile.Behaviour.FLUSHED_SENDS_ARE_COUNTED;
import static io.verbs4j.simulator.profile.Behaviour.FLUSHES_COUNT_THEIR_HEADERS_TWICE;
import static io.verbs4j.simulator.profile.Behaviour.LOCAL_FAILURES_ARE_FLUSHES;
import static io.verbs4j.simulator.profile.Behaviour.LONG_PACKETS_ARE_RETRIED_INDEFINITELY;
import static io.verbs4j.simulator.profile.Behaviour.MESSAGES_OF_2_GIB;
import static io.verbs4j.simulator.profile.Behaviour.ONLY_STATES_ARE_CHECKED;
import static io.verbs4j.simulator.profile.Behaviour.ON_DEMAND_PAGING;
import static io.verbs4j.simulator.profile.Behaviour.PEERS_ANSWER_BETWEEN_PACKETS;
import static io.verbs4j.simulator.profile.Behaviour.PINS_WRITABLE_MEMORY_ONLY;
import static io.verbs4j.simulator.profile.Behaviour.PROGRAMS_WRITE_EVENTS;
import static io.verbs4j.simulator.profile.Behaviour.QUEUES_REPORT_WHAT_WAS_ASKED_FOR;
import static io.verbs4j.simulator.profile.Behaviour.RECEIVES_CLAIM_A_ROUTE;
import static io.verbs4j.simulator.profile.Behaviour.REFUSES_FOREIGN_QUEUE_PAIR_RIGHTS;
import static io.verbs4j.simulator.profile.Behaviour.REFUSES_FOREIGN_REGION_RIGHTS;
import static io.verbs4j.simulator.profile.Behaviour.REFUSES_LONG_REGIONS;
import static io.verbs4j.simulator.profile.Behaviour.REPEATED_ATOMIC_WRITES_LOSE_THEIR_ADDRESS;
import static io.verbs4j.simulator.profile.Behaviour.REPORTS_ACCESS_ERRORS;
import static io.verbs4j.simulator.profile.Behaviour.REPORTS_THE_CURRENT_STATE;
import static io.verbs4j.simulator.profile.Behaviour.REPORTS_THE_LAST_RECEIVE;
import static io.verbs4j.simulator.profile.Behaviour.REREGISTRATION;
import static io.verbs4j.simulator.profile.Behaviour.SENDS_CLAIM_IMMEDIATE_DATA;
import static io.verbs4j.simulator.profile.Behaviour.SEVEN_RETRIES_ARE_ENDLESS;
import static io.verbs4j.simulator.profile.Behaviour.STRAY_ACKNOWLEDGEMENTS_END_READS;
import static io.verbs4j.simulator.profile.Behaviour.WAITING_REQUESTS_OUTRUN_FAILURES;
import static io.verbs4j.simulator.profile.Behaviour.WINDOWS_REACH_THE_WHOLE_REGION;
import static io.verbs4j.simulator.profile.Behaviour.WRONG_SEND_KEYS_ARE_OPERATION_ERRORS;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/// The kernel whose rxe driver a simulated device imitates.
public enum KernelProfile {
    /// Linux 6.1.
    LINUX_6_1(
            "6.1.0",
            WRONG_SEND_KEYS_ARE_OPERATION_ERRORS,
            BAD_RECEIVES_ARE_OPERATION_ERRORS,
            RECEIVES_CLAIM_A_ROUTE,
            SENDS_CLAIM_IMMEDIATE_DATA,
            WINDOWS_REACH_THE_WHOLE_REGION,
            FAILURES_ARE_NOT_SOLICITED,
            QUEUES_REPORT_WHAT_WAS_ASKED_FOR,
            PINS_WRITABLE_MEMORY_ONLY,
            SEVEN_RETRIES_ARE_ENDLESS,
            FAILED_QUEUE_PAIRS_TAKE_NOTHING,
            FLUSHED_SENDS_ARE_COUNTED,
            PEERS_ANSWER_BETWEEN_PACKETS,
            WAITING_REQUESTS_OUTRUN_FAILURES,
            DRAINS_ONCE,
            LONG_PACKETS_ARE_RETRIED_INDEFINITELY,
            CONNECTIONS_WAIT_LONGER),
    /// Linux 6.12, release 6.12.115 or later.
    LINUX_6_12(
            "6.12.115",
            LOCAL_FAILURES_ARE_FLUSHES,
            WRONG_SEND_KEYS_ARE_OPERATION_ERRORS,
            BAD_RECEIVES_ARE_OPERATION_ERRORS,
            RECEIVES_CLAIM_A_ROUTE,
            SENDS_CLAIM_IMMEDIATE_DATA,
            WINDOWS_REACH_THE_WHOLE_REGION,
            FAILURES_ARE_NOT_SOLICITED,
            FLUSHED_RECEIVES_ARE_NOT_SOLICITED,
            ATOMIC_WRITE_AND_FLUSH,
            REPEATED_ATOMIC_WRITES_LOSE_THEIR_ADDRESS,
            ONLY_STATES_ARE_CHECKED,
            REFUSES_FOREIGN_REGION_RIGHTS,
            REFUSES_FOREIGN_QUEUE_PAIR_RIGHTS,
            REREGISTRATION,
            REPORTS_THE_CURRENT_STATE,
            REPORTS_THE_LAST_RECEIVE,
            DROPS_LONG_DATAGRAMS,
            STRAY_ACKNOWLEDGEMENTS_END_READS,
            FLUSHES_COUNT_THEIR_HEADERS_TWICE,
            SEVEN_RETRIES_ARE_ENDLESS,
            REFUSES_LONG_REGIONS,
            MESSAGES_OF_2_GIB),
    /// Linux 7.2.
    LINUX_7_2(
            "7.2.0",
            LINUX_6_12,
            ON_DEMAND_PAGING,
            REPORTS_ACCESS_ERRORS,
            EXTENDED_QUERY_TAKES_DRIVER_DATA,
            COUNTS_BYTES,
            PROGRAMS_WRITE_EVENTS),
    /// No kernel: the behaviour of the InfiniBand Architecture Specification, with all features of rxe.
    SPECIFICATION(
            "7.2.0",
            ATOMIC_WRITE_AND_FLUSH,
            REFUSES_FOREIGN_REGION_RIGHTS,
            REFUSES_FOREIGN_QUEUE_PAIR_RIGHTS,
            REREGISTRATION,
            REPORTS_THE_CURRENT_STATE,
            REPORTS_THE_LAST_RECEIVE,
            REPORTS_ACCESS_ERRORS,
            EXTENDED_QUERY_TAKES_DRIVER_DATA,
            DROPS_LONG_DATAGRAMS,
            MESSAGES_OF_2_GIB,
            COUNTS_BYTES,
            PROGRAMS_WRITE_EVENTS);

    private final String release;
    @SuppressWarnings("ImmutableEnumChecker") // never changed after the constructor
    private final Set<Behaviour> behaviours;

    KernelProfile(String release, Behaviour... behaviours) {
        this.release = release;
        var set = EnumSet.noneOf(Behaviour.class);
        Collections.addAll(set, behaviours);
        this.behaviours = set;
    }

    KernelProfile(String release, KernelProfile former, Behaviour... more) {
        this(release, more);
        behaviours.addAll(former.behaviours);
    }

    /// Returns whether the kernel has a behaviour.
    public boolean has(Behaviour behaviour) {
        return behaviours.contains(behaviour);
    }

    /// Returns all behaviours of the kernel.
    public Set<Behaviour> behaviours() {
        return Collections.unmodifiableSet(behaviours);
    }

    /// Returns the kernel's release (`uname -r`).
    public String release() {
        return release;
    }

    /// Returns the profile with a name such as `6.1`, `6.12`, `7.2` or `specification`.
    ///
    /// @throws IllegalArgumentException if the name is unknown
    public static KernelProfile named(String name) {
        return Arrays.stream(values())
                .filter(profile -> profile.title().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("kernel=" + name + " is none of "
                        + Arrays.stream(values()).map(KernelProfile::title).toList()));
    }

    /// Returns the name that [#named] accepts.
    public String title() {
        return this == SPECIFICATION ? "specification" : release.substring(0, release.lastIndexOf('.'));
    }
}
