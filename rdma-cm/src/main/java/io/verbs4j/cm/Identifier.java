// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.Device;
import io.verbs4j.abi.cm.Accept;
import io.verbs4j.abi.cm.BindAddress;
import io.verbs4j.abi.cm.Connect;
import io.verbs4j.abi.cm.DestroyIdentifier;
import io.verbs4j.abi.cm.Disconnect;
import io.verbs4j.abi.cm.InitQueuePairAttributes;
import io.verbs4j.abi.cm.JoinMulticast;
import io.verbs4j.abi.cm.Listen;
import io.verbs4j.abi.cm.Notify;
import io.verbs4j.abi.cm.QueryAddresses;
import io.verbs4j.abi.cm.QueryGids;
import io.verbs4j.abi.cm.QueryPaths;
import io.verbs4j.abi.cm.Reject;
import io.verbs4j.abi.cm.ResolveAddress;
import io.verbs4j.abi.cm.ResolveRoute;
import io.verbs4j.abi.cm.SetOption;
import io.verbs4j.abi.device.Deadline;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.failure.Rollback;
import io.verbs4j.types.ConnectionAddresses;
import io.verbs4j.types.ConnectionGids;
import io.verbs4j.types.ConnectionParameters;
import io.verbs4j.types.ConnectionPath;
import io.verbs4j.types.PortSpace;
import io.verbs4j.types.PrivateData;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.Ranges;
import io.verbs4j.types.VerbsException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One connection, listener or datagram service of the connection manager, the equivalent of librdmacm's `rdma_cm_id`.
/// Thread-safe; may be closed at any time. Closing waits for running commands of other threads.
///
/// Commands return at once. If a command starts an operation, an event of the [channel][EventChannel] reports the
/// outcome of the operation.
///
/// **A client** resolves an address and then a route, opens the [device][#device()], and creates a queue pair. The
/// client moves the queue pair to INIT by [#attributes(QueuePairState)], posts receives, and
/// [connects][#connect(ConnectionParameters)]. The access rights are known only after the peer accepts. Therefore the
/// client moves the queue pair to INIT again, then to RTR and RTS, and [confirms][#confirm()].
///
/// **A server** binds and listens. Each request brings a new identifier. The server creates a queue pair on the device
/// of this identifier, moves the queue pair to INIT, posts receives, moves the queue pair to RTR and RTS, and
/// [accepts][#accept(ConnectionParameters)].
///
/// Over iWARP, the kernel moves the queue pair from INIT to RTS, and no confirmation is needed.
///
/// @see <a href="https://man7.org/linux/man-pages/man7/rdma_cm.7.html">rdma_cm(7)</a>
public final class Identifier implements AutoCloseable {
    /// The RNR timer that [#attributes(QueuePairState)] adds for RTR: 0.64 ms. The kernel's value 0 means 655 ms.
    public static final int MIN_RNR_TIMER = 12;

    private final int number;
    private final long name;
    private final PortSpace space;
    private final QueuePairType type;
    private final IdentifierCommands commands;
    private final Set<Membership> memberships = ConcurrentHashMap.newKeySet();
    private volatile @Nullable Object attachment;

    Identifier(EventChannel channel, int number, long name, PortSpace space, QueuePairType type) {
        this.number = number;
        this.name = name;
        this.space = space;
        this.type = type;
        this.commands = new IdentifierCommands(this, channel);
    }

    /// Returns the channel that delivers the events of this identifier.
    public EventChannel channel() {
        return commands.channel();
    }

    /// Returns the port space.
    public PortSpace portSpace() {
        return space;
    }

    /// Returns the type of the queue pair.
    public QueuePairType queuePairType() {
        return type;
    }

    /// Returns the object that [#attach(Object)] stored.
    public @Nullable Object attachment() {
        return attachment;
    }

    /// Stores an object for the code that takes the events.
    public void attach(@Nullable Object object) {
        attachment = object;
    }

    /// Sets the type of service (IPv4) or the traffic class (IPv6) of the packets. Call this before resolving the
    /// route.
    ///
    /// @param value 0 to 255
    public void setTypeOfService(int value) {
        Ranges.check("value", value, 0, 255);
        commands.run(file -> SetOption.execute(file, number, SetOption.TYPE_OF_SERVICE, (byte) value));
    }

    /// Sets whether this identifier may bind to an address of another identifier. The other identifier needs the
    /// option, too.
    public void setReuseAddress(boolean reuse) {
        commands.run(file -> SetOption.execute(file, number, SetOption.REUSE_ADDRESS, reuse ? 1 : 0));
    }

    /// Sets whether a listener at the IPv6 wildcard excludes IPv4. Call this before binding.
    public void setAddressFamilyOnly(boolean only) {
        commands.run(file -> SetOption.execute(file, number, SetOption.ADDRESS_FAMILY_ONLY, only ? 1 : 0));
    }

    /// Sets the acknowledgement timeout of the queue pair. Call this before connecting.
    ///
    /// @param exponent 0 to 31; the timeout is 4.096 µs × 2^`exponent`
    public void setAcknowledgeTimeout(int exponent) {
        Ranges.check("exponent", exponent, 0, 31);
        commands.run(file -> SetOption.execute(file, number, SetOption.ACKNOWLEDGE_TIMEOUT, (byte) exponent));
    }

    /// Binds this identifier to a local address.
    ///
    /// @param address a wildcard for any device; port 0 for any port. `0.0.0.0` listens for IPv4, `::` for IPv4 and
    ///     IPv6
    /// @throws VerbsException `EADDRINUSE` if another identifier has the same port and address; `EADDRNOTAVAIL` if
    ///     another identifier has the same port at the wildcard address, or if no network interface has the address;
    ///     `ENODEV` if the network interface has no RDMA device. The message contains the cause
    /// @see <a href="https://man7.org/linux/man-pages/man3/rdma_bind_addr.3.html">rdma_bind_addr(3)</a>
    public void bind(InetSocketAddress address) {
        try {
            bindOnly(address);
        } catch (VerbsException e) {
            throw AddressRefusal.explained(e, this, address);
        }
    }

    /// Binds this identifier without determining the cause of a failure.
    void bindOnly(InetSocketAddress address) {
        commands.run(file -> BindAddress.execute(file, number, address));
    }

    /// Starts to resolve a peer's address. The operation ends with [CmEvent.AddressResolved] or
    /// [CmEvent.AddressFailed].
    ///
    /// @param source null to let the route determine the local address
    /// @param timeout timeout for the neighbour's answer, not negative
    /// @throws VerbsException `ENETUNREACH` if there is no route
    /// @see AddressResolution for several attempts, because the kernel may miss an immediate answer
    /// @see <a href="https://man7.org/linux/man-pages/man3/rdma_resolve_addr.3.html">rdma_resolve_addr(3)</a>
    public void resolveAddress(@Nullable InetSocketAddress source, InetSocketAddress destination, Duration timeout) {
        int millis = millis(timeout);
        try {
            commands.run(file -> ResolveAddress.execute(file, number, source, destination, millis));
        } catch (VerbsException e) {
            throw AddressRefusal.explained(e, this, source);
        }
    }

    /// Starts to resolve the route. The operation ends with [CmEvent.RouteResolved] or [CmEvent.RouteFailed].
    ///
    /// @param timeout not negative; less than 1 ms means 1 ms
    /// @see <a href="https://man7.org/linux/man-pages/man3/rdma_resolve_route.3.html">rdma_resolve_route(3)</a>
    public void resolveRoute(Duration timeout) {
        int millis = Math.max(millis(timeout), 1); // the kernel rejects 0
        commands.run(file -> ResolveRoute.execute(file, number, millis));
    }

    /// Starts to listen. Each request causes a [CmEvent.ConnectRequest] with a new identifier.
    ///
    /// @param backlog maximum number of requests whose events are not taken yet; 0 for the kernel's maximum. The kernel
    ///     silently drops further requests, and the peers repeat them for some seconds
    /// @see <a href="https://man7.org/linux/man-pages/man3/rdma_listen.3.html">rdma_listen(3)</a>
    public void listen(int backlog) {
        Ranges.check("backlog", backlog, 0, Integer.MAX_VALUE);
        commands.run(file -> Listen.execute(file, number, backlog));
    }

    /// Requests a connection or a datagram destination from the peer. The operation ends with [CmEvent.ConnectResponse]
    /// (then call [#confirm()]), [CmEvent.Established] over iWARP, [CmEvent.DatagramsEstablished], [CmEvent.Rejected],
    /// [CmEvent.Unreachable] or [CmEvent.ConnectFailed].
    ///
    /// @param parameters with the number of the queue pair, and at most 56 bytes of private data; 180 for datagrams,
    ///     255 over iWARP
    /// @see <a href="https://man7.org/linux/man-pages/man3/rdma_connect.3.html">rdma_connect(3)</a>
    public void connect(ConnectionParameters parameters) {
        checkPrivateData(parameters.privateData(), PrivateDataLimits.CONNECT, PrivateDataLimits.DATAGRAM_CONNECT);
        commands.run(file -> Connect.execute(file, number, parameters));
    }

    /// Accepts the request that created this identifier. The queue pair must be in RTS with posted receives, because
    /// the peer may send before [CmEvent.Established] arrives.
    ///
    /// **If this fails, the kernel has already rejected the request.**
    ///
    /// @param parameters with the number of the queue pair, and at most 196 bytes of private data; 136 for datagrams,
    ///     255 over iWARP
    /// @see <a href="https://man7.org/linux/man-pages/man3/rdma_accept.3.html">rdma_accept(3)</a>
    public void accept(ConnectionParameters parameters) {
        checkPrivateData(parameters.privateData(), PrivateDataLimits.ACCEPT, PrivateDataLimits.DATAGRAM_ACCEPT);
        commands.run(file -> Accept.execute(file, number, name, parameters));
    }

    /// Confirms, after [CmEvent.ConnectResponse], that the queue pair is in RTS. The connection is then established; no
    /// further event reports this.
    public void confirm() {
        commands.run(file -> Accept.confirm(file, number));
    }

    /// Rejects the request that created this identifier.
    ///
    /// @param data at most 148 bytes; 136 for datagrams, 255 over iWARP
    /// @see <a href="https://man7.org/linux/man-pages/man3/rdma_reject.3.html">rdma_reject(3)</a>
    public void reject(PrivateData data) {
        checkPrivateData(data, PrivateDataLimits.REJECT, PrivateDataLimits.DATAGRAM_REJECT);
        commands.run(file -> Reject.execute(file, number, 0, data));
    }

    /// Ends the connection, or answers the peer's [CmEvent.Disconnected]. The end that starts disconnecting gets its
    /// own event only after the peer's answer. Move the queue pair to ERR first. Idempotent.
    ///
    /// @see <a href="https://man7.org/linux/man-pages/man3/rdma_disconnect.3.html">rdma_disconnect(3)</a>
    public void disconnect() {
        commands.run(file -> Disconnect.execute(file, number));
    }

    /// Returns the attributes that move the queue pair to a state, for
    /// [io.verbs4j.QueuePair#modify(QueuePairAttributes)]. For a connection, the RNR timer is [#MIN_RNR_TIMER]; the
    /// connection manager and the peer have agreed on all other attributes.
    ///
    /// @param state INIT, RTR or RTS
    /// @see <a href="https://man7.org/linux/man-pages/man3/rdma_init_qp_attr.3.html">rdma_init_qp_attr(3)</a>
    public QueuePairAttributes attributes(QueuePairState state) {
        return AttributeRepairs.repaired(commands.call(file -> InitQueuePairAttributes.execute(file, number, state)),
                type,
                state);
    }

    /// Reports to the kernel that data has arrived before the peer's confirmation. Call this after the queue pair's
    /// asynchronous event [io.verbs4j.types.AsyncEventType#COMMUNICATION_ESTABLISHED], because the confirmation may be
    /// lost. [CmEvent.Established] follows.
    ///
    /// @see <a href="https://man7.org/linux/man-pages/man3/rdma_notify.3.html">rdma_notify(3)</a>
    public void notifyEstablished() {
        commands.run(file -> Notify.execute(file, number, AttributeRepairs.COMMUNICATION_ESTABLISHED));
    }

    /// Starts to join a multicast group. The operation ends with [CmEvent.MulticastJoined] or
    /// [CmEvent.MulticastFailed].
    ///
    /// Unless the membership is send-only, the network interface is in the IP group while the membership lasts.
    ///
    /// @param sendOnly true to send without receiving
    /// @see <a href="https://man7.org/linux/man-pages/man3/rdma_join_multicast.3.html">rdma_join_multicast(3)</a>
    public Membership join(InetSocketAddress group, boolean sendOnly) {
        return commands.call(file -> {
            try (var rollback = new Rollback()) {
                Membership membership = rollback.make(
                        () -> new Membership(
                                this, group, EventChannel.reserveName(), sendOnly ? null : IpGroups.join(this, group)),
                        Membership::end);
                rollback.add(() -> forget(membership));
                memberships.add(membership);
                channel().put(membership.name(), membership);
                membership.number(JoinMulticast.execute(file, number, membership.name(), group, sendOnly));
                rollback.keep();
                return membership;
            }
        });
    }

    /// Moves this identifier and its pending events to another channel. Memberships stay in the old channel, so join
    /// groups afterwards.
    ///
    /// @see <a href="https://man7.org/linux/man-pages/man3/rdma_migrate_id.3.html">rdma_migrate_id(3)</a>
    public void migrate(EventChannel to) {
        commands.migrate(to, number, name);
    }

    /// Returns this end's and the peer's address, and the device's number.
    public ConnectionAddresses addresses() {
        return commands.call(file -> QueryAddresses.execute(file, number));
    }

    /// Returns the GIDs of both ends.
    public ConnectionGids gids() {
        return commands.call(file -> QueryGids.execute(file, number));
    }

    /// Returns the paths to the peer; empty before the route is resolved.
    public List<ConnectionPath> paths() {
        return commands.call(file -> QueryPaths.execute(file, number));
    }

    /// Returns the RDMA device. The device is known after an address is resolved, after binding to a specific address,
    /// and for an identifier that a request created.
    public Optional<Device> device() {
        return CmDevices.find(addresses());
    }

    /// Returns the RDMA device, as [#device()] does.
    ///
    /// @throws VerbsException `ENODEV` if the device is unknown or not visible to this process; the message contains
    ///     the cause, if it is known, and the remedy
    public Device requireDevice() {
        return device().orElseThrow(() -> CmDevices.invisible(this));
    }

    private void checkPrivateData(PrivateData data, int most, int mostOfDatagrams) {
        int limit = type == QueuePairType.UD ? mostOfDatagrams : most;
        if (data.size() > limit && !(type == QueuePairType.RC && device().filter(CmDevices::isIwarp).isPresent())) {
            throw new IllegalArgumentException(
                    "privateData.size=" + data.size() + " exceeds the message's limit of " + limit + " bytes");
        }
    }

    private static int millis(Duration timeout) {
        Deadline.requireNotNegative(timeout);
        return (int) Math.min(TimeUnit.MILLISECONDS.convert(timeout), Integer.MAX_VALUE);
    }

    /// Runs a command alone, unless the identifier is closed.
    void aloneUnlessClosed(Consumer<DeviceFile> command) {
        commands.aloneUnlessClosed(command);
    }

    void forget(Membership membership) {
        memberships.remove(membership);
        channel().remove(membership.name());
    }

    /// Returns whether this identifier or its channel was closed.
    public boolean isClosed() {
        return commands.isClosed();
    }

    /// Destroys this identifier. A request that was not accepted is rejected, a connection ends, and pending events are
    /// dropped. Destroy the queue pair first, or move it to ERR. Waits for commands of other threads. Idempotent.
    ///
    /// @see <a href="https://man7.org/linux/man-pages/man3/rdma_destroy_id.3.html">rdma_destroy_id(3)</a>
    @Override
    public void close() {
        commands.close(file -> DestroyIdentifier.execute(file, number), current -> {
            current.remove(name);
            for (Membership membership : memberships) {
                forget(membership);
                membership.end();
            }
        });
    }

    @Override
    public String toString() {
        return space + " identifier " + number;
    }
}
