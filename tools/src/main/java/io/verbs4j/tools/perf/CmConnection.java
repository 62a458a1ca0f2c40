// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

import io.verbs4j.Context;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.QueuePairBuilder;
import io.verbs4j.cm.CmEvent;
import io.verbs4j.cm.EventChannel;
import io.verbs4j.cm.Identifier;
import io.verbs4j.tools.ToolException;
import io.verbs4j.types.ConnectionParameters;
import io.verbs4j.types.Errno;
import io.verbs4j.types.Gid;
import io.verbs4j.types.GidEntry;
import io.verbs4j.types.GidType;
import io.verbs4j.types.PortSpace;
import io.verbs4j.types.PrivateData;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What `-R` does: the connection manager connects the queue pairs, over the same port number as the conversation. For one thread.
final class CmConnection implements AutoCloseable {
    private static final Duration RESOLVE = Duration.ofSeconds(2);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int ATTEMPTS = 100;
    private static final int PAUSE_MILLIS = 50;
    private static final int RETRIES = 6;
    private static final int FOR_EVER = 7;

    private final PerfPlan plan;
    private final @Nullable InetSocketAddress server;
    private final EventChannel channel = EventChannel.open();
    private final List<Identifier> identifiers = new ArrayList<>();
    /// The first request, which says on which device the others come.
    private CmEvent.@Nullable ConnectRequest first;

    private CmConnection(PerfPlan plan, @Nullable InetSocketAddress server, int port) {
        this.plan = plan;
        this.server = server;
        if (server == null) {
            anyAddress(port, address -> {
                Identifier identifier = channel.create(PortSpace.TCP);
                identifier.bind(address);
                identifier.listen(0);
                return identifier;
            });
        }
    }

    /// Does something with the address that takes both families, or where there is no IPv6 with that of IPv4.
    static <T> T anyAddress(int port, Function<InetSocketAddress, T> action) {
        try {
            return action.apply(new InetSocketAddress(InetAddress.getByName("::"), port));
        } catch (UnknownHostException e) {
            throw new AssertionError("it is a literal", e);
        } catch (VerbsException e) {
            if (e.errno() == Errno.EADDRINUSE) {
                throw e;
            }
            return action.apply(new InetSocketAddress("0.0.0.0", port));
        }
    }

    /// Listens, or gets ready to connect.
    ///
    /// @param host the server's name; null for the server itself
    static CmConnection open(PerfPlan plan, @Nullable String host, int port) {
        try {
            return new CmConnection(plan,
                    host == null ? null : new InetSocketAddress(InetAddress.getByName(host), port),
                    port);
        } catch (UnknownHostException e) {
            throw new ToolException("no such host: " + host);
        }
    }

    /// Opens the device that leads to the peer: of the client by the route, of the server by the first request.
    Context device() {
        Identifier leading;
        if (server == null) {
            first = await(CmEvent.ConnectRequest.class);
            leading = first.incoming();
        } else {
            leading = resolved(server);
            identifiers.add(leading);
        }
        return leading.device()
                .orElseThrow(() -> new ToolException("no RDMA device that is visible here is on the way to the peer"))
                .open();
    }

    private Identifier resolved(InetSocketAddress address) {
        Identifier identifier = channel.create(PortSpace.TCP);
        identifier.resolveAddress(null, address, RESOLVE);
        await(CmEvent.AddressResolved.class);
        identifier.resolveRoute(RESOLVE);
        await(CmEvent.RouteResolved.class);
        return identifier;
    }

    private <T extends CmEvent> T await(Class<T> expected) {
        CmEvent event = next();
        if (expected.isInstance(event)) {
            return expected.cast(event);
        }
        throw new ToolException(
                event.explanation().isEmpty() ? "the connection failed: " + event : event.explanation());
    }

    private CmEvent next() {
        try {
            while (true) {
                CmEvent event = channel.await(PATIENCE)
                        .orElseThrow(
                                () -> new ToolException("the peer was silent for " + PATIENCE.toSeconds() + " s",
                                        "both ends need -R"));
                // The server's own confirmations matter to nobody.
                if (server != null || !(event instanceof CmEvent.Established)) {
                    return event;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ToolException("interrupted");
        }
    }

    /// Makes queue pairs and connects them.
    PerfPairs.Factory pairs() {
        return (domain, builders, reads) -> connected(domain, builders,
                plan.test().operation().isFetching() ? reads : 0);
    }

    private PerfPairs connected(ProtectionDomain domain, Supplier<QueuePairBuilder> builders, int reads) {
        var pairs = new ArrayList<QueuePair>();
        for (int i = 0; i < plan.queuePairs(); i++) {
            QueuePair pair = builders.get().create();
            pairs.add(pair);
            var offer = ConnectionParameters.DEFAULT
                    .withQueuePairNumber(pair.number())
                    .withReadAtomic(reads, reads)
                    .withRetries(RETRIES, FOR_EVER);
            if (server == null) {
                accept(pair, offer);
            } else {
                connect(server, pair, offer);
            }
        }
        return new Connected(source(domain.context()), pairs);
    }

    private static void to(QueuePair pair, Identifier identifier, QueuePairState... states) {
        for (QueuePairState state : states) {
            pair.modify(identifier.attributes(state));
        }
    }

    /// The server may begin to listen only after it has heard from us.
    private void connect(InetSocketAddress address, QueuePair pair, ConnectionParameters offer) {
        for (int attempt = 0;; attempt++) {
            Identifier identifier =
                    attempt == 0 && !identifiers.isEmpty() && identifiers.getFirst().attachment() == null
                            ? identifiers.removeFirst()
                            : resolved(address);
            identifiers.add(identifier);
            identifier.attach(pair);
            to(pair, identifier, QueuePairState.INIT);
            identifier.connect(offer);
            CmEvent event = next();
            if (event instanceof CmEvent.ConnectResponse) {
                to(pair, identifier, QueuePairState.INIT, QueuePairState.RTR, QueuePairState.RTS);
                identifier.confirm();
                return;
            }
            if (event instanceof CmEvent.Established) {
                return; // over iWARP, where the kernel moves the queue pair
            }
            identifiers.remove(identifier);
            identifier.close();
            if (!(event instanceof CmEvent.Rejected) || attempt == ATTEMPTS) {
                throw new ToolException("connect failed: " + event.explanation());
            }
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ToolException("interrupted");
        }
    }

    private void accept(QueuePair pair, ConnectionParameters offer) {
        CmEvent.ConnectRequest request =
                Optional.ofNullable(first).orElseGet(() -> await(CmEvent.ConnectRequest.class));
        first = null;
        Identifier incoming = request.incoming();
        identifiers.add(incoming);
        to(pair, incoming, QueuePairState.INIT, QueuePairState.RTR, QueuePairState.RTS);
        incoming.accept(offer.withPrivateData(PrivateData.NONE));
    }

    private GidEntry source(Context context) {
        Identifier one = identifiers.getFirst();
        InetSocketAddress local = one.addresses().local();
        Gid gid = local == null ? Gid.ZERO : Gid.of(local.getAddress());
        List<GidEntry> entries = context.gids();
        return entries.stream()
                .filter(entry -> entry.gid().equals(gid) && entry.type().equals(GidType.ROCE_V2))
                .findFirst()
                .or(() -> entries.stream().findFirst())
                .orElseThrow(() -> new ToolException(context.device().name() + " has no GID"));
    }

    /// Queue pairs that stand.
    private record Connected(GidEntry gid, List<QueuePair> pairs) implements PerfPairs {
        @Override
        public int lid() {
            return 0;
        }

        @Override
        public int number(int pair) {
            return pairs.get(pair).number();
        }

        /// The connection manager has agreed on it, and nobody needs to know.
        @Override
        public int packetSequenceNumber(int pair) {
            return 0;
        }

        @Override
        public List<QueuePair> connect(List<PerfAddress> peers) {
            return pairs;
        }
    }

    /// Ends the connections. The kernel sends the peer what it waits for.
    @Override
    public void close() {
        channel.close();
    }
}
