// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import io.verbs4j.CompletionQueue;
import io.verbs4j.CompletionQueueOptions;
import io.verbs4j.Context;
import io.verbs4j.PreparedQueuePair;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.QueuePairEndpoint;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.tools.common.ToolException;
import io.verbs4j.types.Access;
import io.verbs4j.types.Gid;
import io.verbs4j.types.Mtu;
import io.verbs4j.types.QueuePairType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// One end of a ping-pong over several reliable connections that share a receive queue. All objects are closed with
/// their context in any case.
///
/// @param queuePairs number of queue pairs, below [#ADDRESSES]
record SharedReceivePingPong(PingPongOptions options, Mtu mtu, int queuePairs, Console console) {
    /// Number of addresses that the programs exchange, regardless of the number of queue pairs (`MAX_QP`).
    static final int ADDRESSES = 256;
    /// The address in the place of a missing queue pair.
    private static final PingPongAddress NONE = new PingPongAddress(0, 0, 0, new Gid(0, 0));

    /// Runs the ping-pong.
    ///
    /// @return whether it succeeded
    /// @throws FailedCompletion if a work request failed
    boolean run() {
        int depth = options.receiveDepth();
        if (queuePairs > depth) {
            throw new ToolException(
                    "rx_depth " + depth + " is too small for " + queuePairs
                            + " QPs -- must have at least one receive per QP",
                    "set a larger number with -r");
        }
        return options.byAddress() ? runByAddress() : runByExchange();
    }

    private boolean runByExchange() {
        try (Context context = DeviceLimits.open(options, this::checkWithMtu)) {
            return play(context, (domain, queue, shared) -> connect(prepare(domain, queue, shared)));
        }
    }

    private boolean runByAddress() {
        try (
                CmMeeting meeting = CmMeeting.ofConnections(options, console);
                Context context = meeting.open()) {
            check(context);
            return play(context, (domain, queue, shared) -> {
                var connected = new ArrayList<QueuePair>();
                for (int i = 0; i < queuePairs; i++) {
                    QueuePair pair =
                            Meeting.sized(domain.reliableConnection(queue).sharedReceiveQueue(shared)).create();
                    meeting.connect(pair, () -> {});
                    connected.add(pair);
                }
                return connected;
            });
        }
    }

    /// Creates and connects queue pairs.
    private interface Connecting {
        List<QueuePair> connect(ProtectionDomain domain, CompletionQueue queue, SharedReceiveQueue shared);
    }

    private boolean play(Context context, Connecting connecting) {
        int depth = options.receiveDepth();
        var domain = context.allocateProtectionDomain();
        var memory = domain.allocate(options.size(), Access.LOCAL_WRITE);
        var queue = context.createCompletionQueue(queueOptions(context));
        var shared = domain.createSharedReceiveQueue(depth, 1);
        PingPongPattern.clear(memory.segment());
        try (var receives = shared.beginReceive()) {
            Messages.fill(receives, memory, depth);
        }
        var loop = new SharedReceiveLoop(
                queue, shared, memory, connecting.connect(domain, queue, shared), depth, options.warmUp(),
                options.iterations());
        return loop.play(options, console, memory.segment());
    }

    private void checkWithMtu(Context context) {
        DeviceLimits.checkPathMtu(mtu, context, options.devicePort());
        check(context);
    }

    private void check(Context context) {
        var limits = context.attributes();
        int depth = Math.min(
                limits.maxSharedReceiveQueueWorkRequests(), limits.maxCompletionQueueEntries() - queuePairs);
        if (options.receiveDepth() > depth) {
            throw new ToolException(
                    options.receiveDepth() + " receives for " + queuePairs + " queue pairs exceed the limit of "
                            + context.device().name() + ": " + depth,
                    "set a smaller number with -r");
        }
    }

    private CompletionQueueOptions queueOptions(Context context) {
        var queue = CompletionQueueOptions.entries(options.receiveDepth() + queuePairs)
                .withSingleThread();
        return options.events() ? queue.withChannel(context.createCompletionChannel()) : queue;
    }

    private List<PreparedQueuePair> prepare(ProtectionDomain domain, CompletionQueue queue, SharedReceiveQueue shared) {
        var transport = new ConnectedTransport(QueuePairType.RC, options.devicePort(), mtu);
        var gid = LocalGid.selector(options.gidIndex(), options.host());
        var prepared = new ArrayList<PreparedQueuePair>();
        for (int i = 0; i < queuePairs; i++) {
            prepared.add(Meeting.sized(transport.queuePair(domain, queue).sharedReceiveQueue(shared))
                    .port(options.devicePort())
                    .gid(gid)
                    .serviceLevel(options.serviceLevel())
                    .prepare());
        }
        if (options.gidIndex() == null) {
            console.chosen(prepared.getFirst().gidSelection());
        }
        return prepared;
    }

    private List<QueuePair> connect(List<PreparedQueuePair> prepared) {
        var own = new ArrayList<PingPongAddress>();
        for (PreparedQueuePair end : prepared) {
            own.add(PingPongAddress.of(end.endpoint()));
            console.print("  local address:  " + own.getLast());
        }
        own.addAll(Collections.nCopies(ADDRESSES - own.size(), NONE));
        try (var exchange = PingPongExchange.of(options.host(), options.port())) {
            List<PingPongAddress> remote = exchange.receive(own);
            requireAsMany(remote);
            var connected = new ArrayList<QueuePair>();
            for (int i = 0; i < queuePairs; i++) {
                console.print("  remote address: " + remote.get(i));
                remote.get(i).requireGid();
                connected.add(prepared.get(i).connect(endpoint(remote.get(i))));
            }
            exchange.confirm(own);
            return connected;
        }
    }

    private void requireAsMany(List<PingPongAddress> remote) {
        long theirs = remote.stream()
                .filter(address -> address.queuePairNumber() != 0)
                .count();
        if (theirs != queuePairs) {
            throw new ToolException(
                    "the peer has " + theirs + " queue pairs, but this end has " + queuePairs,
                    "use the same -q at both ends");
        }
    }

    private QueuePairEndpoint endpoint(PingPongAddress address) {
        return new QueuePairEndpoint(
                address.queuePairNumber(), address.packetSequenceNumber(), address.gid(), address.lid(), mtu);
    }
}
