// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pairs;

import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.QueuePair;
import io.verbs4j.cm.AddressResolution;
import io.verbs4j.cm.CmEvent;
import io.verbs4j.cm.EventChannel;
import io.verbs4j.cm.Identifier;
import io.verbs4j.tools.common.Hosts;
import io.verbs4j.tools.common.Listening;
import io.verbs4j.tools.common.ToolException;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.ConnectionAddresses;
import io.verbs4j.types.ConnectionParameters;
import io.verbs4j.types.DatagramPath;
import io.verbs4j.types.Errno;
import io.verbs4j.types.Gid;
import io.verbs4j.types.GidEntry;
import io.verbs4j.types.GidType;
import io.verbs4j.types.PortSpace;
import io.verbs4j.types.PrivateData;
import io.verbs4j.types.QueuePairAttribute;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Queue pairs that the connection manager connects, between a client and a server that listens on a port. Commands use
/// it for option `-R`. Not thread-safe.
public final class CmPairs implements AutoCloseable {
    /// Timeout for the peer's next step.
    public static final Duration TIMEOUT = Duration.ofSeconds(30);

    private static final Duration RESOLVE = Duration.ofSeconds(2);
    private static final int ATTEMPTS = 100;
    private static final int PAUSE_MILLIS = 50;
    private static final int RETRIES = 6;
    private static final int UNLIMITED = 7;

    private final PortSpace space;
    private final @Nullable InetSocketAddress server;
    private final EventChannel channel = EventChannel.open();
    private final List<Identifier> identifiers = new ArrayList<>();
    /// The first request. It determines the device of all requests.
    private CmEvent.@Nullable ConnectRequest first;

    private CmPairs(PortSpace space, @Nullable InetSocketAddress server, int port) {
        this.space = space;
        this.server = server;
        if (server == null) {
            anyAddress(port, address -> {
                Identifier identifier = channel.create(space);
                identifier.bind(address);
                identifier.listen(0);
                return identifier;
            });
            Listening.begins();
        }
    }

    /// Applies an action to the wildcard address of both families, or to that of IPv4 if there is no IPv6.
    public static <T> T anyAddress(int port, Function<InetSocketAddress, T> action) {
        try {
            return action.apply(new InetSocketAddress(InetAddress.getByName("::"), port));
        } catch (UnknownHostException e) {
            throw new AssertionError("the address is a literal", e);
        } catch (VerbsException e) {
            if (e.errno() == Errno.EADDRINUSE) {
                throw e;
            }
            return action.apply(new InetSocketAddress("0.0.0.0", port));
        }
    }

    /// Starts to listen, or prepares to connect.
    ///
    /// @param space TCP for reliable connections, UDP for datagrams
    /// @param host the server's name; null at the server itself
    public static CmPairs open(PortSpace space, @Nullable String host, int port) {
        return new CmPairs(space, host == null ? null : Hosts.resolve(host, port), port);
    }

    /// Opens the device that leads to the peer: at the client that of the route, at the server that of the first
    /// request.
    ///
    /// @param name name that the device must have; null for any
    /// @param timeout the server's timeout for the first request
    public Context device(@Nullable String name, Duration timeout) {
        Identifier leading;
        if (server == null) {
            first = await(CmEvent.ConnectRequest.class, timeout);
            leading = first.incoming();
        } else {
            leading = resolved(server);
            identifiers.add(leading);
        }
        Device device = leading.requireDevice();
        if (name != null && !name.equals(device.name())) {
            throw new ToolException(
                    "the route to the peer uses " + device.name() + ", not " + name,
                    "omit -d, because -R determines the device, or use another address");
        }
        return device.open();
    }

    private Identifier resolved(InetSocketAddress address) {
        Identifier identifier = channel.create(space);
        identifier.attach(AddressResolution.begin(identifier, null, address, RESOLVE));
        await(CmEvent.AddressResolved.class);
        identifier.resolveRoute(RESOLVE);
        await(CmEvent.RouteResolved.class);
        return identifier;
    }

    private <T extends CmEvent> T await(Class<T> expected) {
        return await(expected, TIMEOUT);
    }

    private <T extends CmEvent> T await(Class<T> expected, Duration timeout) {
        CmEvent event = next(timeout);
        if (expected.isInstance(event)) {
            return expected.cast(event);
        }
        throw new ToolException(
                event.explanation().isEmpty() ? "the connection failed: " + event : event.explanation());
    }

    private CmEvent next(Duration timeout) {
        try {
            while (true) {
                CmEvent event = channel.await(timeout)
                        .orElseThrow(
                                () -> new ToolException("the peer did not answer within " + timeout.toSeconds() + " s",
                                        "both ends need -R"));
                if (event.identifier().attachment() instanceof AddressResolution resolution
                        && resolution.retry(event)) {
                    continue;
                }
                // The server ignores confirmations.
                if (server != null || !(event instanceof CmEvent.Established)) {
                    return event;
                }
            }
        } catch (InterruptedException e) {
            throw ToolException.interrupted();
        }
    }

    /// Connects a queue pair. The server accepts the next request with it.
    ///
    /// @param reads maximum number of outstanding reads and atomics
    /// @param posting runs when the queue pair is in INIT, before the peer may send
    public void connect(QueuePair pair, int reads, Runnable posting) {
        var offer = ConnectionParameters.DEFAULT
                .withQueuePairNumber(pair.number())
                .withReadAtomic(reads, reads)
                .withRetries(RETRIES, UNLIMITED);
        if (server == null) {
            accept(pair, offer, posting);
        } else {
            connect(server, pair, offer, posting);
        }
    }

    /// Prepares a queue pair for datagrams, and resolves the peer's.
    ///
    /// @param posting runs when the queue pair is in INIT, before the peer may send
    /// @return empty at a server whose client has not sent its queue pair number, because the kernel does not report it
    public Optional<DatagramPath> exchange(QueuePair pair, Runnable posting) {
        return server == null ? answer(pair, posting) : Optional.of(ask(server, pair, posting));
    }

    private Optional<DatagramPath> answer(QueuePair pair, Runnable posting) {
        CmEvent.ConnectRequest request = request();
        Identifier incoming = request.incoming();
        adopt(incoming, pair, posting);
        to(pair, incoming, QueuePairState.RTR, QueuePairState.RTS);
        Optional<DatagramPath> path = pathBack(incoming, pair, request.privateData());
        incoming.accept(ConnectionParameters.DEFAULT.withQueuePairNumber(pair.number()));
        return path;
    }

    private DatagramPath ask(InetSocketAddress address, QueuePair pair, Runnable posting) {
        var number = ByteBuffer.allocate(Integer.BYTES).putInt(pair.number()).array();
        for (int attempt = 0;; attempt++) {
            Identifier identifier = unused(address);
            if (attempt == 0) {
                adopt(identifier, pair, posting);
                to(pair, identifier, QueuePairState.RTR, QueuePairState.RTS);
            } else {
                identifiers.add(identifier);
                identifier.attach(pair);
            }
            identifier.connect(ConnectionParameters.DEFAULT.withPrivateData(PrivateData.of(number)));
            CmEvent event = next(TIMEOUT);
            if (event instanceof CmEvent.DatagramsEstablished established) {
                return established.path();
            }
            forget(identifier);
            if (!(event instanceof CmEvent.Unreachable) || attempt == ATTEMPTS) {
                throw new ToolException("the peer did not announce its queue pair: " + event.explanation());
            }
            pause();
        }
    }

    private Optional<DatagramPath> pathBack(Identifier incoming, QueuePair pair, PrivateData data) {
        InetSocketAddress peer = incoming.addresses().peer();
        int number = data.size() < Integer.BYTES ? 0 : ByteBuffer.wrap(data.bytes()).getInt();
        if (peer == null || number <= 0 || number >= DatagramPath.MULTICAST) {
            return Optional.empty();
        }
        Context context = pair.protectionDomain().context();
        AddressVector vector = AddressVector.roce(
                incoming.addresses().port(), source(context).index(), Gid.of(peer.getAddress()));
        return Optional.of(new DatagramPath(number, qkey(pair), vector, PrivateData.NONE));
    }

    /// Returns the Q_Key that the connection manager has assigned to a queue pair.
    public static int qkey(QueuePair pair) {
        return pair.query(QueuePairAttribute.QKEY).qkey();
    }

    /// Returns the identifier that resolved the device, if it is unused, or another one.
    private Identifier unused(InetSocketAddress address) {
        return !identifiers.isEmpty() && identifiers.getFirst().attachment() instanceof AddressResolution
                ? identifiers.removeFirst()
                : resolved(address);
    }

    private void adopt(Identifier identifier, QueuePair pair, Runnable posting) {
        identifiers.add(identifier);
        identifier.attach(pair);
        to(pair, identifier, QueuePairState.INIT);
        posting.run();
    }

    private void forget(Identifier identifier) {
        identifiers.remove(identifier);
        identifier.close();
    }

    private CmEvent.ConnectRequest request() {
        CmEvent.ConnectRequest request =
                Optional.ofNullable(first).orElseGet(() -> await(CmEvent.ConnectRequest.class));
        first = null;
        return request;
    }

    private static void to(QueuePair pair, Identifier identifier, QueuePairState... states) {
        for (QueuePairState state : states) {
            pair.modify(identifier.attributes(state));
        }
    }

    /// Connects. Repeats attempts, because the server may start to listen only after it has received the address.
    private void connect(
            InetSocketAddress address, QueuePair pair, ConnectionParameters offer, Runnable posting) {
        for (int attempt = 0;; attempt++) {
            Identifier identifier = unused(address);
            adopt(identifier, pair, attempt == 0 ? posting : () -> {});
            identifier.connect(offer);
            CmEvent event = next(TIMEOUT);
            if (event instanceof CmEvent.ConnectResponse) {
                to(pair, identifier, QueuePairState.INIT, QueuePairState.RTR, QueuePairState.RTS);
                identifier.confirm();
                return;
            }
            if (event instanceof CmEvent.Established) {
                return; // over iWARP, the kernel moves the queue pair
            }
            forget(identifier);
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
            throw ToolException.interrupted();
        }
    }

    private void accept(QueuePair pair, ConnectionParameters offer, Runnable posting) {
        Identifier incoming = request().incoming();
        adopt(incoming, pair, posting);
        to(pair, incoming, QueuePairState.RTR, QueuePairState.RTS);
        incoming.accept(offer.withPrivateData(PrivateData.NONE));
    }

    /// Returns the addresses of both ends of a queue pair.
    public ConnectionAddresses addresses(QueuePair pair) {
        return identifiers.stream()
                .filter(identifier -> pair.equals(identifier.attachment()))
                .findFirst()
                .orElseThrow()
                .addresses();
    }

    /// Returns the source GID of the first queue pair's packets.
    public GidEntry source(Context context) {
        InetSocketAddress local = identifiers.getFirst().addresses().local();
        Gid gid = local == null ? Gid.ZERO : Gid.of(local.getAddress());
        List<GidEntry> entries = context.gids();
        return entries.stream()
                .filter(entry -> entry.gid().equals(gid) && entry.type().equals(GidType.ROCE_V2))
                .findFirst()
                .or(() -> entries.stream().findFirst())
                .orElseThrow(() -> new ToolException(context.device().name() + " has no GID"));
    }

    /// Ends the connections. The kernel sends the messages that the peer waits for.
    @Override
    public void close() {
        channel.close();
    }
}
