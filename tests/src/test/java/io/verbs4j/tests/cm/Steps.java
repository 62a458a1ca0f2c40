// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.cm.CmEvent;
import io.verbs4j.cm.EventChannel;
import io.verbs4j.cm.Identifier;
import io.verbs4j.types.ConnectionParameters;
import io.verbs4j.types.PortSpace;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/// The connection manager, command by command. It does not check the numbers of queue pairs, so these tests need none.
final class Steps {
    /// Longer than anything takes on a busy machine without hardware virtualization.
    static final Duration LONG = Duration.ofSeconds(60);

    /// A peer rejects numbers that it still remembers: each is used once.
    private static final AtomicInteger NEXT_QUEUE_PAIR =
            new AtomicInteger(0x100000 | (int) (ProcessHandle.current().pid() & 0x3ff) << 10);

    private Steps() {}

    /// Takes the next event, which must be one of a kind.
    static <T extends CmEvent> T next(EventChannel channel, Class<T> kind) throws InterruptedException {
        CmEvent event = channel.await(LONG).orElseThrow(() -> new AssertionError("no event, but for " + kind));
        assertThat(event).isInstanceOf(kind);
        return kind.cast(event);
    }

    /// Listens.
    static Identifier listen(EventChannel channel, InetSocketAddress address) {
        Identifier listener = channel.create(PortSpace.TCP);
        listener.bind(address);
        listener.listen(0);
        return listener;
    }

    /// Finds the way to an address.
    static Identifier resolve(EventChannel channel, InetSocketAddress address) throws InterruptedException {
        Identifier client = channel.create(PortSpace.TCP);
        client.resolveAddress(null, address, LONG);
        next(channel, CmEvent.AddressResolved.class);
        client.resolveRoute(LONG);
        next(channel, CmEvent.RouteResolved.class);
        return client;
    }

    /// Finds the way, and asks for a connection.
    static Identifier ask(EventChannel channel, InetSocketAddress address) throws InterruptedException {
        Identifier client = resolve(channel, address);
        client.connect(parameters());
        return client;
    }

    /// Returns parameters with the number of a queue pair that nobody has used.
    static ConnectionParameters parameters() {
        return ConnectionParameters.DEFAULT.withQueuePairNumber(NEXT_QUEUE_PAIR.getAndIncrement());
    }
}
