// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.CompletionQueueOptions;
import io.verbs4j.Context;
import io.verbs4j.GidSelection;
import io.verbs4j.MemoryRegion;
import io.verbs4j.PreparedQueuePair;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.QueuePairEndpoint;
import io.verbs4j.tools.AddressText;
import io.verbs4j.tools.ToolDevices;
import io.verbs4j.tools.ToolException;
import io.verbs4j.types.Access;
import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One end of an RC ping-pong: makes the objects, finds the peer, exchanges the messages, tells how long it took. Whatever
/// happens, the objects are closed again.
final class RcPingPong {
    private final PingPongOptions options;
    private final PrintWriter out;
    private final PrintWriter err;

    RcPingPong(PingPongOptions options, PrintWriter out, PrintWriter err) {
        this.options = options;
        this.out = out;
        this.err = err;
    }

    /// Runs it.
    ///
    /// @return whether all went well
    boolean run() {
        try (
                Context context = open();
                ProtectionDomain domain = context.allocateProtectionDomain();
                MemoryRegion memory = domain.allocate(options.size(), Access.LOCAL_WRITE);
                CompletionChannel channel = options.events() ? context.createCompletionChannel() : null;
                CompletionQueue queue = context.createCompletionQueue(queueOptions(channel));
                PreparedQueuePair prepared = prepare(domain, queue)) {
            PingPongPattern.clear(memory.segment());
            try (var receives = prepared.beginReceive()) {
                int posted = ConnectedMessages.post(receives, memory, options.receiveDepth());
                if (posted < options.receiveDepth()) {
                    throw new ToolException("Couldn't post receive (" + posted + ")");
                }
            }
            PingPongAddress own = ownAddress(prepared);
            print("  local address:  " + own);
            try (QueuePair queuePair = connect(prepared, own)) {
                return exchange(new ConnectedMessages(queuePair, memory), queue, memory);
            }
        } catch (FailedCompletion e) {
            out.flush();
            err.println(e.getMessage());
            err.println("  likely cause: " + e.likelyCause());
            return false;
        }
    }

    private Context open() {
        Context context = ToolDevices.select(options.device()).open();
        try {
            DeviceLimits.check(options, context);
            return context;
        } catch (RuntimeException | Error e) {
            context.close();
            throw e;
        }
    }

    private CompletionQueueOptions queueOptions(@Nullable CompletionChannel channel) {
        var queue = CompletionQueueOptions.entries(options.receiveDepth() + DeviceLimits.OTHER_COMPLETIONS)
                .withSingleThread();
        return channel == null ? queue : queue.withChannel(channel);
    }

    /// With C's attributes, but for the retries: C's seven mean for ever on rxe, so that a peer that dies is not noticed.
    private PreparedQueuePair prepare(ProtectionDomain domain, CompletionQueue queue) {
        return domain.reliableConnection(queue)
                .maxSends(1)
                .maxReceives(options.receiveDepth())
                .maxSendScatterGather(1)
                .maxReceiveScatterGather(1)
                .maxInlineData(0)
                .singleThreaded()
                .port(options.devicePort())
                .gid(OwnGid.selector(options.gidIndex(), options.host()))
                .pathMtu(options.mtu())
                .access()
                .readAtomic(1)
                .minRnrTimer(12)
                .timeout(14)
                .retryCount(6)
                .rnrRetry(7)
                .serviceLevel(options.serviceLevel())
                .prepare();
    }

    private PingPongAddress ownAddress(PreparedQueuePair prepared) {
        QueuePairEndpoint endpoint = prepared.endpoint();
        if (options.gidIndex() == null) {
            GidSelection selection = prepared.gidSelection();
            err.println("using GID index " + selection.entry().index() + ", "
                    + AddressText.of(selection.entry().gid()) + " (" + selection.reason() + "); -g chooses another");
        }
        return new PingPongAddress(
                endpoint.lid(), endpoint.queuePairNumber(), endpoint.packetSequenceNumber(), endpoint.gid());
    }

    private QueuePair connect(PreparedQueuePair prepared, PingPongAddress own) {
        try (var exchange = PingPongExchange.of(options.host(), options.port())) {
            PingPongAddress remote = exchange.receive(own);
            print("  remote address: " + remote);
            if (!remote.hasGid()) {
                throw new ToolException(
                        "the peer sent no GID, and RoCE cannot do without",
                        "start it with -g and the index of its GID");
            }
            QueuePair connected = prepared.connect(new QueuePairEndpoint(
                    remote.queuePairNumber(),
                    remote.packetSequenceNumber(),
                    remote.gid(),
                    remote.lid(),
                    options.mtu()));
            try {
                exchange.confirm(own);
                return connected;
            } catch (RuntimeException | Error e) {
                connected.close();
                throw e;
            }
        }
    }

    private boolean exchange(Messages messages, CompletionQueue queue, MemoryRegion memory) {
        var loop = new PingPongLoop(
                queue, messages, options.warmUp(), options.iterations(), options.receiveDepth());
        boolean client = options.host() != null;
        if (client) {
            if (options.check()) {
                PingPongPattern.mark(memory.segment());
            }
            loop.start();
        }
        long nanoseconds = loop.run(options.events());
        print(PingPongReport.bandwidth(options.size(), options.iterations(), nanoseconds));
        print(PingPongReport.latency(options.iterations(), nanoseconds));
        return client || !options.check() || isValid(memory);
    }

    private boolean isValid(MemoryRegion memory) {
        List<Long> wrong = PingPongPattern.unmarkedPages(memory.segment());
        wrong.forEach(page -> print("invalid data in page " + page));
        return wrong.isEmpty();
    }

    private void print(String line) {
        out.println(line);
        out.flush();
    }
}
