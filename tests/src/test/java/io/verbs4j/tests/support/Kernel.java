// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import io.verbs4j.abi.host.KernelRelease;

/// The running kernel, and what its rxe does differently from others: a test says by name what it expects of which kernel.
/// Known are 6.1, 6.12 and 7.2; the borders in between are where the change went into Linux, as far as that is known.
public final class Kernel {
    /// An acknowledgement timeout (4.3 s) that a busy machine keeps: a flush or atomic write that is retransmitted asks for address
    /// 0 and fails on rxe (`req_retry`, rxe_req.c, restores the address of other operations only).
    public static final int TIMEOUT_WITHOUT_RETRIES = 20;

    /// For `@EnabledIf` and `@DisabledIf` of a class: [#hasFlushAndAtomicWrite]. On a method they skip a test whose object was made
    /// already, and what its fields have opened stays open: assume there.
    public static final String FLUSH_AND_ATOMIC_WRITE = "io.verbs4j.tests.support.Kernel#hasFlushAndAtomicWrite";
    /// For `@EnabledIf` and `@DisabledIf` of a class: [#hasReregistration].
    public static final String REREGISTRATION = "io.verbs4j.tests.support.Kernel#hasReregistration";
    /// For `@EnabledIf` and `@DisabledIf` of a class: [#hasOnDemandPaging].
    public static final String ON_DEMAND_PAGING = "io.verbs4j.tests.support.Kernel#hasOnDemandPaging";

    private static final KernelRelease RUNNING = KernelRelease.running();

    static {
        if (RUNNING.isBefore(1, 0)) {
            throw new IllegalStateException("not a kernel release: " + System.getProperty("os.version"));
        }
    }

    private Kernel() {}

    /// Returns whether the kernel is this version or a later one.
    public static boolean isAtLeast(int major, int minor) {
        return !RUNNING.isBefore(major, minor);
    }

    /// Work requests that fail in the local requester are reported as flushed, not by their own status.
    public static boolean hidesLocalErrorsBehindFlushes() {
        return isAtLeast(6, 12);
    }

    /// Since 6.12 rxe ends the queue pair whose packet the network interface does not take, since its queue is full or the packet too
    /// long; before, it tries again without end (`rxe_xmit_packet` in `rxe_requester`, rxe_req.c).
    public static boolean endsWhatMeetsAFullInterface() {
        return isAtLeast(6, 12);
    }

    /// A modify without a new state is not checked against the state table.
    public static boolean checksAttributesOnlyWithState() {
        return isAtLeast(6, 12);
    }

    /// Rights of a region that rxe does not have are refused, not ignored.
    public static boolean refusesForeignRegionRights() {
        return isAtLeast(6, 12);
    }

    /// Regions may be registered for on-demand paging.
    public static boolean hasOnDemandPaging() {
        return isAtLeast(6, 15);
    }

    /// Regions can change their protection domain and rights.
    public static boolean hasReregistration() {
        return isAtLeast(6, 4);
    }

    /// The flush and atomic write operations exist.
    public static boolean hasFlushAndAtomicWrite() {
        return isAtLeast(6, 2);
    }

    /// The invariant CRC of a flush is one over its headers and then over them once more: `rxe_opcode` (rxe_opcode.c) does not say
    /// where a flush's payload starts, so that it is taken to start where the packet does.
    public static boolean checksHeadersOfFlushesTwice() {
        return hasFlushAndAtomicWrite();
    }

    /// rxe has sockets in each network namespace, so that devices of one find each other; before, packets for all went to the first
    /// namespace.
    public static boolean hasNetworkNamespaces() {
        return isAtLeast(7, 0);
    }

    /// A receive that is flushed wakes who waits for solicited messages only.
    public static boolean countsFlushedReceivesAsSolicited() {
        return !isAtLeast(6, 12);
    }

    /// Regions of more than 1 GiB can be pinned: later rxe keeps their pages in one table, which it allocates in one piece. On
    /// demand they can be longer. The change went into 6.12.115, too.
    public static boolean pinsLongRegions() {
        return RUNNING.isBefore(6, 12, 115);
    }

    /// Memory that the process itself cannot write to can be registered for reading: pinning it no longer asks for both.
    public static boolean pinsReadOnlyMemory() {
        return isAtLeast(6, 2);
    }

    /// A shared receive queue still has its ring when a resize has failed; before, it could only be closed.
    public static boolean keepsSharedReceiveQueuesWhoseResizeFails() {
        return isAtLeast(6, 12);
    }

    /// A queue pair that goes to ERR says that it takes no more receives from its shared receive queue.
    public static boolean reportsTheLastSharedReceive() {
        return isAtLeast(6, 12);
    }

    /// A datagram that is longer than its receive is dropped and leaves no trace; before, it ended the queue pair.
    public static boolean dropsLongDatagrams() {
        return isAtLeast(6, 12);
    }

    /// A queue pair with a shared receive queue that goes to ERR reports when it has taken its last receive.
    public static boolean reportsTheLastReceive() {
        return isAtLeast(6, 12);
    }

    /// A read whose answer an acknowledgement of earlier work comes into completes with success, though parts of it are missing.
    public static boolean completesReadsAtStrayAcknowledgements() {
        return isAtLeast(6, 12);
    }

    /// A queue pair that is reset while it answers a read goes on with that answer in its next connection.
    public static boolean goesOnWithAnswersAfterReset() {
        return !isAtLeast(6, 12);
    }

    /// A local invalidation that waits for a send is done when that fails, though it completes as flushed.
    public static boolean invalidatesBehindFailedSends() {
        return !isAtLeast(6, 12);
    }

    /// A drained queue pair that is moved to SQD once more reports so once more.
    public static boolean drainsAgain() {
        return isAtLeast(6, 12);
    }

    /// The deletion of a network interface under an open rxe device closes the UDP port of all of them.
    public static boolean closesThePortOfAllDevices() {
        return isAtLeast(7, 0);
    }

    /// The responder of a request with a wrong key gets an event.
    public static boolean reportsAccessErrors() {
        return isAtLeast(7, 0);
    }

    /// Rights that are none of a queue pair's are refused, not ignored.
    public static boolean refusesForeignQueuePairRights() {
        return isAtLeast(6, 12);
    }

    /// Longest message of a port in bytes.
    public static long longestMessage() {
        return isAtLeast(6, 12) ? 1L << 31 : 8 << 20;
    }
}
