// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.locks;

import io.verbs4j.tests.locks.LockRecorder.Edge;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// The order in which threads may wait for locks. A thread that holds a lock waits only for locks of later rows, so
/// that threads cannot deadlock. The architecture document explains the rows.
final class LockTable {
    /// Of a batch lock: a caller begins a batch.
    static final String BEGUN = "";
    /// Of a batch lock: a queue is closed, resized or reset, which waits for batches for a limited time.
    static final String STOPPED = " (stopped)";
    /// Of a batch lock: verbs4j takes it for a purpose of its own.
    static final String INSIDE = " (inside)";

    private static final Set<String> BATCH_LOCKS =
            Set.of("CompletionQueue.lock", "QueuePair.sendLock", "QueuePair.receiveLock", "SharedReceiveQueue.lock");

    /// A selector's monitor, and then that of its selected keys, in the order of [java.nio.channels.Selector].
    private static final String SELECTOR = "MixedSelector monitor";

    /// Of sockets.
    private static final List<Set<String>> SOCKETS = List.of(
            Set.of(SELECTOR, "MixedServerChannel.accepting"),
            Set.of("MixedServerChannel monitor", "SocketDecision monitor"),
            Set.of("JdkChannels monitor", "RdmaSide.reading", "RdmaSide.writing", "SocketSettings monitor"));

    /// Of connections, and of streams, which some tests have with programs in C only.
    private static final List<Set<String>> CONNECTIONS = List.of(
            Set.of("ConnectionTeardown monitor"),
            Set.of("ConnectionGroup.lock", "RdmaServer.lock"),
            Set.of("RdmaStream.writing"),
            Set.of("StreamReader.copying", "StreamWriter.copying"),
            Set.of("StreamProtocol monitor", "MessagePump.lock", "Disconnection.ending", "JoinedGroups.lock"),
            Set.of("IdentifierCommands.use", "ConnectionEvents monitor"),
            Set.of("EventChannel.taking"));

    /// Of software iWARP and of real files, taken within the locks of the objects.
    private static final List<Set<String>> REAL = List.of(
            Set.of("SiwQueuePair.flushLock"),
            Set.of("FlushedWork monitor", "FileWaiters.lock"),
            Set.of("EventPoller.STARTING", "CompletionWatch.STARTING"),
            Set.of("EventPoller.lock", "Alarm.lock"));

    /// Of buffer pools, which no device test closes.
    private static final List<Set<String>> POOLS = List.of(Set.of("SlabPool monitor"));

    private static final List<Set<String>> OBJECTS = List.of(
            Set.of("MemoryRegion.changes"),
            BATCH_LOCKS,
            Set.of(
                    "AddressHandle.use",
                    "CompletionChannel.use",
                    "CompletionQueue.use",
                    "Context.use",
                    "MemoryRegion.use",
                    "ProtectionDomain.use",
                    "QueuePair.use",
                    "SharedReceiveQueue.use"),
            Set.of("MemoryWindow.use"), // closed by the queue pair that it is bound through
            Set.of("QueuePairStates.lock", "MulticastMemberships.lock", "RetiredAddressHandles monitor"),
            Set.of("RaisedReads.lock", "RxeSharedReceiveQueue.commands", "EventReader.lock"),
            Set.of("Family.lock"),
            // Within a system call, or in its place.
            Set.of("OutstandingWork monitor", "TraceOutput.lock", "CurrentHost monitor"),
            Set.of("Simulation.lock"),
            Set.of("EventQueue.lock", "NumberedObjects monitor", "CheckedCopy monitor"));

    private static final List<Set<String>> ROWS =
            Stream.of(SOCKETS, CONNECTIONS, POOLS, OBJECTS.subList(0, 6), REAL, OBJECTS.subList(6, 10))
                    .flatMap(List::stream)
                    .toList();

    /// Taken only where a batch was not ended, or with a delay.
    private static final String RARE = "BatchLock monitor";

    private LockTable() {}

    /// Returns the locks that simulated devices need.
    static List<String> locksOfObjects() {
        return OBJECTS.stream().flatMap(Set::stream).sorted().toList();
    }

    /// Returns the locks that only real devices and connections need.
    static List<String> locksOfRealDevices() {
        return Stream.of(CONNECTIONS, REAL).flatMap(List::stream).flatMap(Set::stream).sorted().toList();
    }

    /// Returns one sentence for each violation among the recorded waits; empty if no threads can have deadlocked.
    static List<String> violations(Set<Edge> edges) {
        var violations = new ArrayList<String>();
        for (Edge edge : edges) {
            int held = row(edge.held());
            int wanted = row(edge.wanted());
            if (held < 0 || wanted < 0) {
                violations.add((held < 0 ? edge.held() : edge.wanted()) + " is in no row");
            } else if (held >= wanted && !isCallersOrder(edge)) {
                violations.add("a thread with " + edge.held() + " waited for " + edge.wanted());
            }
        }
        return violations;
    }

    /// A thread with an open batch may acquire another queue's, or close one; the order is the caller's responsibility.
    /// A selector has two monitors of one name.
    private static boolean isCallersOrder(Edge edge) {
        if (edge.held().equals(SELECTOR) && edge.wanted().equals(SELECTOR)) {
            return true;
        }
        return BATCH_LOCKS.contains(edge.held())
                && row(edge.wanted()) == row(edge.held())
                && !edge.wanted().endsWith(INSIDE);
    }

    private static int row(String lock) {
        int suffix = lock.indexOf(" (");
        String name = suffix < 0 ? lock : lock.substring(0, suffix);
        if (name.equals(RARE)) {
            return ROWS.size();
        }
        for (int row = 0; row < ROWS.size(); row++) {
            if (ROWS.get(row).contains(name)) {
                return row;
            }
        }
        return -1;
    }
}
