// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.disni;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Device;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.cm.CmEvent;
import io.verbs4j.cm.EventChannel;
import io.verbs4j.cm.Identifier;
import io.verbs4j.types.ConnectionAddresses;
import io.verbs4j.types.ConnectionParameters;
import io.verbs4j.types.DeviceAttributes;
import io.verbs4j.types.NodeType;
import io.verbs4j.types.PortSpace;
import io.verbs4j.types.PrivateData;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.VerbsException;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The calls of the connection manager. Like librdmacm, they change the state of queue pairs themselves.
public final class ConnectionCalls {
    /// Maximum number of elements of a work request, as in DiSNI's C code.
    private static final int SCATTER_GATHER = 4;
    private static final int MAX_READ_ATOMIC = 255;
    private static final int MAX_RETRIES = 7;
    private static final ConnectionParameters MAXIMUM =
            ConnectionParameters.DEFAULT.withReadAtomic(MAX_READ_ATOMIC, MAX_READ_ATOMIC);

    // enum rdma_cm_event_type
    private static final int ADDR_RESOLVED = 0;
    private static final int ADDR_ERROR = 1;
    private static final int ROUTE_RESOLVED = 2;
    private static final int ROUTE_ERROR = 3;
    private static final int CONNECT_REQUEST = 4;
    private static final int CONNECT_ERROR = 6;
    private static final int UNREACHABLE = 7;
    private static final int REJECTED = 8;
    private static final int ESTABLISHED = 9;
    private static final int DISCONNECTED = 10;
    private static final int DEVICE_REMOVAL = 11;
    private static final int ADDR_CHANGE = 14;
    private static final int TIMEWAIT_EXIT = 15;
    /// Returned when there is no event or handle.
    private static final int NONE = -1;

    /// An event channel.
    record Channel(EventChannel channel) {}

    private final Handles handles;
    private final ObjectCalls objects;

    ConnectionCalls(Handles handles, ObjectCalls objects) {
        this.handles = handles;
        this.objects = objects;
    }

    private Endpoint endpoint(long id) throws IOException {
        return handles.get(id, Endpoint.class, "identifier");
    }

    /// Opens an event channel.
    public long createChannel() throws IOException {
        return Failures.call("open event channel", () -> handles.add(new Channel(EventChannel.open())));
    }

    /// Closes an event channel with its identifiers.
    public int destroyChannel(long channel) {
        if (!(handles.find(channel) instanceof Channel closing)) {
            return NONE;
        }
        for (long id : handles.of(Endpoint.class)) {
            if (handles.find(id) instanceof Endpoint endpoint && endpoint.channel == channel) {
                destroyEndpoint(id);
            }
        }
        int errno = handles.destroy(channel, closing.channel::close);
        objects.closeIfUnused();
        return errno;
    }

    /// Creates an identifier for reliable connections, regardless of the requested port space, as DiSNI's C code does.
    public long createIdentifier(long channel) throws IOException {
        EventChannel events = handles.get(channel, Channel.class, "event channel").channel;
        return Failures.call("create identifier", () -> add(events.create(PortSpace.TCP), channel, MAXIMUM));
    }

    private long add(Identifier identifier, long channel, ConnectionParameters offered) {
        long id = handles.add(new Endpoint(identifier, channel, offered));
        identifier.attach(id);
        return id;
    }

    /// Creates the queue pair of an identifier, and moves it to INIT.
    ///
    /// @param type number of a [QueuePairType]
    public long createQueuePair(
            long id, long domain, long sendQueue, long receiveQueue, int type, int maxSends, int maxReceives,
            int maxInline)
            throws IOException {
        Endpoint endpoint = endpoint(id);
        ProtectionDomain within = handles.get(domain, ProtectionDomain.class, "protection domain");
        CompletionQueue sends = handles.get(sendQueue, Queue.class, "completion queue").queue;
        CompletionQueue receives = handles.get(receiveQueue, Queue.class, "completion queue").queue;
        return Failures.call("create queue pair", () -> {
            int elements = Math.min(SCATTER_GATHER, within.context().attributes().maxScatterGather());
            QueuePair queuePair = within.queuePair(type(type), sends)
                    .receiveCompletionQueue(receives)
                    .maxSends(maxSends)
                    .maxReceives(maxReceives)
                    .maxSendScatterGather(elements)
                    .maxReceiveScatterGather(elements)
                    .maxInlineData(maxInline)
                    .create();
            try {
                queuePair.modify(endpoint.identifier.attributes(QueuePairState.INIT));
                endpoint.queuePair = handles.add(new Connection(queuePair));
                return endpoint.queuePair;
            } catch (RuntimeException e) {
                queuePair.close();
                throw e;
            }
        });
    }

    private static QueuePairType type(int number) throws IOException {
        return Stream.of(QueuePairType.values())
                .filter(type -> type.value() == number)
                .findFirst()
                .orElseThrow(() -> new IOException("queue pair type " + number + " does not exist"));
    }

    /// Closes the queue pair of an identifier.
    public int destroyQueuePair(long id) {
        if (!(handles.find(id) instanceof Endpoint endpoint) || endpoint.queuePair == 0) {
            return NONE;
        }
        int errno = handles.find(endpoint.queuePair) instanceof Connection connection
                ? handles.destroy(endpoint.queuePair, connection.queuePair::close)
                : 0;
        if (errno == 0) {
            endpoint.queuePair = 0;
            objects.closeIfUnused();
        }
        return errno;
    }

    /// Closes an identifier.
    public int destroyIdentifier(long id) {
        if (!(handles.find(id) instanceof Endpoint endpoint)) {
            return NONE;
        }
        int errno = handles.destroy(id, endpoint.identifier::close);
        objects.closeIfUnused();
        return errno;
    }

    /// Closes an identifier and the identifier's queue pair.
    public int destroyEndpoint(long id) {
        int errno = destroyQueuePair(id);
        return errno > 0 ? errno : destroyIdentifier(id); // -1: the identifier has no queue pair
    }

    /// Binds an identifier.
    ///
    /// @param address of a `sockaddr_in`
    public void bind(long id, long address) throws IOException {
        Identifier identifier = endpoint(id).identifier;
        Failures.run("bind identifier", () -> identifier.bind(Structs.readAddress(address)));
    }

    /// Starts to listen.
    public void listen(long id, int backlog) throws IOException {
        Identifier identifier = endpoint(id).identifier;
        Failures.run("listen", () -> identifier.listen(Math.max(backlog, 0)));
    }

    /// Starts to resolve an address.
    ///
    /// @param address of a `sockaddr_in`
    public void resolveAddress(long id, long address, int timeoutMillis) throws IOException {
        Identifier identifier = endpoint(id).identifier;
        Failures.run("resolve address",
                () -> identifier.resolveAddress(null, Structs.readAddress(address), Duration.ofMillis(timeoutMillis)));
    }

    /// Starts to resolve the route.
    public void resolveRoute(long id, int timeoutMillis) throws IOException {
        Identifier identifier = endpoint(id).identifier;
        Failures.run("resolve route", () -> identifier.resolveRoute(Duration.ofMillis(timeoutMillis)));
    }

    /// Requests a connection from the peer.
    ///
    /// @param retries retries after timeouts; 0, DiSNI's default, means 6
    /// @param rnrRetries retries when the peer has no receive posted; 0, DiSNI's default, means indefinitely
    /// @param data address of private data
    /// @param dataLength its length
    public void connect(long id, int retries, int rnrRetries, long data, int dataLength) throws IOException {
        Endpoint endpoint = endpoint(id);
        QueuePair queuePair = queuePair(endpoint);
        Failures.run("connect", () -> {
            PrivateData sent = dataLength == 0 || data == 0
                    ? PrivateData.NONE
                    : PrivateData.of(Structs.memory(data, dataLength).toArray(ValueLayout.JAVA_BYTE));
            endpoint.identifier.connect(
                    parameters(queuePair, endpoint, retries, rnrRetries).withPrivateData(sent));
        });
    }

    /// Accepts a request.
    ///
    /// @param retries retries after timeouts; 0, DiSNI's default, means 6
    /// @param rnrRetries retries when the peer has no receive posted; 0, DiSNI's default, means indefinitely
    public void accept(long id, int retries, int rnrRetries) throws IOException {
        Endpoint endpoint = endpoint(id);
        QueuePair queuePair = queuePair(endpoint);
        Failures.run("accept", () -> {
            toReadyToSend(endpoint, queuePair);
            endpoint.identifier.accept(parameters(queuePair, endpoint, retries, rnrRetries));
        });
    }

    private QueuePair queuePair(Endpoint endpoint) throws IOException {
        return handles.get(endpoint.queuePair, Connection.class, "queue pair of the identifier").queuePair;
    }

    private static ConnectionParameters parameters(QueuePair queuePair, Endpoint endpoint, int retries,
            int rnrRetries) {
        DeviceAttributes limits = queuePair.protectionDomain().context().attributes();
        return new ConnectionParameters(
                queuePair.number(),
                PrivateData.NONE,
                Math.min(limits.maxQueuePairReadAtomic(), endpoint.offered.responderResources()),
                Math.min(limits.maxQueuePairInitReadAtomic(), endpoint.offered.initiatorDepth()),
                true,
                retries(retries, ConnectionParameters.DEFAULT.retryCount()),
                retries(rnrRetries, ConnectionParameters.DEFAULT.rnrRetry()),
                false);
    }

    /// Replaces a retry count of 0, DiSNI's default. Without retries, a single lost packet or a missing receive ends
    /// the connection.
    private static int retries(int wanted, int otherwise) {
        return wanted == 0 ? otherwise : Math.clamp(wanted, 0, MAX_RETRIES);
    }

    private static boolean isIwarp(QueuePair queuePair) {
        return queuePair.protectionDomain().context().device().nodeType().equals(NodeType.RNIC);
    }

    private static void toReadyToSend(Endpoint endpoint, QueuePair queuePair) {
        if (!isIwarp(queuePair)) { // on iWARP, the kernel does this
            queuePair.modify(endpoint.identifier.attributes(QueuePairState.INIT)); // adds the peer's access rights
            queuePair.modify(endpoint.identifier.attributes(QueuePairState.RTR));
            queuePair.modify(endpoint.identifier.attributes(QueuePairState.RTS));
        }
    }

    /// Ends a connection, or answers the peer's disconnect.
    public int disconnect(long id) throws IOException {
        Endpoint endpoint = endpoint(id);
        try {
            if (handles.find(endpoint.queuePair) instanceof Connection connection) {
                stop(connection.queuePair);
            }
            endpoint.identifier.disconnect();
            return 0;
        } catch (VerbsException | IllegalStateException e) {
            return NONE; // the connection has already ended
        }
    }

    private static void stop(QueuePair queuePair) {
        try {
            queuePair.modify(QueuePairAttributes.builder()
                    .state(isIwarp(queuePair) ? QueuePairState.SQD : QueuePairState.ERR)
                    .build());
        } catch (VerbsException e) {
            // The queue pair is already in ERR and sends nothing more.
        }
    }

    /// Waits for an event.
    ///
    /// @param listener address that receives the handle of the listener; -1 for none
    /// @param id address that receives the handle of the identifier
    /// @param timeoutMillis negative for no limit
    /// @return the event's number, or -1 after the timeout and for events that DiSNI does not know
    public int awaitEvent(long channel, long listener, long id, int timeoutMillis) throws IOException {
        EventChannel events = handles.get(channel, Channel.class, "event channel").channel;
        Optional<CmEvent> event =
                Failures.call("wait for an event", () -> events.await(ObjectCalls.timeout(timeoutMillis)));
        if (event.isEmpty() || !(event.get().identifier().attachment() instanceof Long about)) {
            return NONE;
        }
        if (event.get() instanceof CmEvent.ConnectRequest request) {
            Structs.putLong(listener, about);
            Structs.putLong(id, add(request.incoming(), channel, request.parameters()));
        } else {
            Structs.putLong(listener, NONE);
            Structs.putLong(id, about);
        }
        return number(event.get(), handles.find(about));
    }

    int number(CmEvent event, @Nullable Object about) {
        return switch (event) {
            case CmEvent.AddressResolved _ -> ADDR_RESOLVED;
            case CmEvent.AddressFailed _ -> ADDR_ERROR;
            case CmEvent.RouteResolved _ -> ROUTE_RESOLVED;
            case CmEvent.RouteFailed _ -> ROUTE_ERROR;
            case CmEvent.ConnectRequest _ -> CONNECT_REQUEST;
            case CmEvent.ConnectResponse _ -> confirm(about);
            case CmEvent.ConnectFailed _ -> CONNECT_ERROR;
            case CmEvent.Unreachable _ -> UNREACHABLE;
            case CmEvent.Rejected _ -> REJECTED;
            case CmEvent.Established _ -> established(about);
            case CmEvent.Disconnected _ -> DISCONNECTED;
            case CmEvent.DeviceRemoved _ -> DEVICE_REMOVAL;
            case CmEvent.AddressChanged _ -> ADDR_CHANGE;
            case CmEvent.TimewaitExited _ -> TIMEWAIT_EXIT;
            default -> NONE;
        };
    }

    /// Handles the peer's acceptance.
    private int confirm(@Nullable Object about) {
        if (!(about instanceof Endpoint endpoint)) {
            return CONNECT_ERROR;
        }
        try {
            toReadyToSend(endpoint, queuePair(endpoint));
            endpoint.identifier.confirm();
            return ESTABLISHED;
        } catch (IOException | VerbsException | IllegalStateException e) {
            return CONNECT_ERROR;
        }
    }

    private int established(@Nullable Object about) {
        if (about instanceof Endpoint endpoint
                && handles.find(endpoint.queuePair) instanceof Connection connection
                && isIwarp(connection.queuePair)) {
            connection.queuePair.noteState(QueuePairState.RTS);
        }
        return ESTABLISHED;
    }

    /// Returns the context of an identifier's device.
    public long context(long id) throws IOException {
        Identifier identifier = endpoint(id).identifier;
        return Failures.call("open the device of the identifier", () -> {
            Optional<Device> device = identifier.device();
            return device.isPresent() ? objects.context(device.get()) : NONE;
        });
    }

    /// Writes the local address as a `sockaddr_in`.
    ///
    /// @return 0, or -1 if the identifier has no local IPv4 address
    public int localAddress(long id, long address) throws IOException {
        return write(address(id).local(), address);
    }

    /// Writes the peer's address as a `sockaddr_in`.
    ///
    /// @return 0, or -1 if the identifier has no IPv4 address of the peer
    public int peerAddress(long id, long address) throws IOException {
        return write(address(id).peer(), address);
    }

    private ConnectionAddresses address(long id) throws IOException {
        Identifier identifier = endpoint(id).identifier;
        return Failures.call("query addresses", identifier::addresses);
    }

    private static int write(@Nullable InetSocketAddress value, long address) {
        return value != null && Structs.writeAddress(address, value) ? 0 : NONE;
    }
}
