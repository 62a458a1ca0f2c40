// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.MemoryRegion;
import io.verbs4j.PreparedQueuePair;
import io.verbs4j.ProtectionDomain;

/// Exchanges the addresses of queue pairs over TCP, like the C programs.
record ExchangeMeeting(PingPongOptions options, Transport transport, Console console) implements Meeting {
    @Override
    public Context open() {
        return DeviceLimits.open(options, transport::check);
    }

    @Override
    public Messages meet(ProtectionDomain domain, CompletionQueue queue, MemoryRegion memory) {
        PreparedQueuePair prepared = prepare(domain, queue);
        try (var receives = prepared.beginReceive()) {
            Messages.fill(receives, memory, options.receiveDepth());
        }
        PingPongAddress own = ownAddress(prepared);
        console.print("  local address:  " + transport.ownAddress(own));
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

    private PreparedQueuePair prepare(ProtectionDomain domain, CompletionQueue queue) {
        return Meeting.sized(transport.queuePair(domain, queue), options.receiveDepth())
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

    @Override
    public void close() {
        // has no resources
    }
}
