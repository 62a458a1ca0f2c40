// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import io.verbs4j.abi.host.KernelRelease;

/// The running kernel, and the differences of its rxe from others. Tests refer to them by name. Known kernels are 6.1,
/// 6.12 and 7.2. The limits in between are the versions that introduced a change, as far as known.
public final class Kernel {
    /// An acknowledgement timeout (4.3 s) that a busy machine meets. On rxe, a retransmitted flush or atomic write uses
    /// address 0 and fails (`req_retry`, rxe_req.c, restores the address of other operations only).
    public static final int TIMEOUT_WITHOUT_RETRIES = 20;

    /// For `@EnabledIf` and `@DisabledIf` of a class: [#hasFlushAndAtomicWrite]. On a method they skip a test after its
    /// object was created, and leave the resources of its fields open. Use an assumption there.
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

    /// Since 6.12, rxe moves the queue pair to ERR if the network interface rejects its packet, because its queue is
    /// full or the packet too long. Before, rxe retries indefinitely (`rxe_xmit_packet` in `rxe_requester`, rxe_req.c).
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

    /// The invariant CRC of a flush covers its headers twice. `rxe_opcode` (rxe_opcode.c) lacks the offset of a flush's
    /// payload, so it is considered to start with the packet.
    public static boolean checksHeadersOfFlushesTwice() {
        return hasFlushAndAtomicWrite();
    }

    /// rxe has sockets in each network namespace, so that devices in one namespace can communicate. Before, all packets
    /// went to the first namespace.
    public static boolean hasNetworkNamespaces() {
        return isAtLeast(7, 0);
    }

    /// A receive that is flushed wakes who waits for solicited messages only.
    public static boolean countsFlushedReceivesAsSolicited() {
        return !isAtLeast(6, 12);
    }

    /// Regions of more than 1 GiB can be pinned. Later versions of rxe keep the pages in one table, in a single
    /// allocation. With on-demand paging, regions can be longer. The change is part of 6.12.115, too.
    public static boolean pinsLongRegions() {
        return RUNNING.isBefore(6, 12, 115);
    }

    /// Memory that the process itself cannot write to can be registered for reading: pinning it no longer asks for
    /// both.
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

    /// A read completes with success, although parts of it are missing, if an acknowledgement of earlier work arrives
    /// within its answer.
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
