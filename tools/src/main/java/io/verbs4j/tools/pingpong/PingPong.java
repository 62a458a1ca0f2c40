// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.CompletionQueueOptions;
import io.verbs4j.Context;
import io.verbs4j.MemoryRegion;
import io.verbs4j.PreparedQueuePair;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.types.Access;
import org.jspecify.annotations.Nullable;

/// One end of a ping-pong: makes the objects, finds the peer, exchanges the messages, tells how long it took. Whatever
/// happens, the objects are closed again.
final class PingPong {
    private final PingPongOptions options;
    private final Transport transport;
    private final Console console;

    PingPong(PingPongOptions options, Transport transport, Console console) {
        this.options = options;
        this.transport = transport;
        this.console = console;
    }

    /// Runs it.
    ///
    /// @return whether all went well
    /// @throws FailedCompletion if a work request failed
    boolean run() {
        try (
                Context context = DeviceLimits.open(options, transport::check);
                ProtectionDomain domain = context.allocateProtectionDomain();
                MemoryRegion memory =
                        domain.allocate(Math.addExact(transport.headerBytes(), options.size()), Access.LOCAL_WRITE);
                CompletionChannel channel = options.events() ? context.createCompletionChannel() : null;
                CompletionQueue queue = context.createCompletionQueue(queueOptions(channel));
                PreparedQueuePair prepared = prepare(domain, queue)) {
            PingPongPattern.clear(memory.segment());
            try (var receives = prepared.beginReceive()) {
                Messages.requireAll(Messages.post(receives, memory, options.receiveDepth()), options.receiveDepth());
            }
            PingPongAddress own = ownAddress(prepared);
            console.print("  local address:  " + transport.ownAddress(own));
            try (Messages messages = connect(domain, prepared, own, memory)) {
                var loop = new PingPongLoop(
                        queue, messages, options.warmUp(), options.iterations(), options.receiveDepth());
                return loop.play(options, console, memory.segment().asSlice(transport.headerBytes()));
            }
        }
    }

    private CompletionQueueOptions queueOptions(@Nullable CompletionChannel channel) {
        var queue = CompletionQueueOptions.entries(options.receiveDepth() + DeviceLimits.OTHER_COMPLETIONS)
                .withSingleThread();
        return channel == null ? queue : queue.withChannel(channel);
    }

    private PreparedQueuePair prepare(ProtectionDomain domain, CompletionQueue queue) {
        return transport
                .queuePair(domain, queue)
                .maxSends(1)
                .maxReceives(options.receiveDepth())
                .maxSendScatterGather(1)
                .maxReceiveScatterGather(1)
                .maxInlineData(0)
                .singleThreaded()
                .port(options.devicePort())
                .gid(LocalGid.selector(options.gidIndex(), options.host()))
                .serviceLevel(options.serviceLevel())
                .prepare();
    }

    private PingPongAddress ownAddress(PreparedQueuePair prepared) {
        if (options.gidIndex() == null) {
            console.chosen(prepared.gidSelection());
        }
        return PingPongAddress.of(prepared.endpoint());
    }

    private Messages connect(
            ProtectionDomain domain, PreparedQueuePair prepared, PingPongAddress own, MemoryRegion memory) {
        try (var exchange = PingPongExchange.of(options.host(), options.port())) {
            PingPongAddress remote = exchange.receive(own);
            console.print("  remote address: " + remote);
            remote.requireGid();
            Messages connected = transport.connect(domain, prepared, remote, memory);
            try {
                exchange.confirm(own);
                return connected;
            } catch (RuntimeException | Error e) {
                connected.close();
                throw e;
            }
        }
    }
}
