// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.abi.device.Deadline;
import io.verbs4j.types.ConnectionParameters;
import io.verbs4j.types.DatagramPath;
import io.verbs4j.types.PortSpace;
import io.verbs4j.types.PrivateData;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.Ranges;
import io.verbs4j.types.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A queue pair for datagrams on the RDMA device of an IP address, ready to send and receive. Thread-safe; may be
/// closed at any time.
///
/// A port that [connects][#connect(InetSocketAddress, ConnectionOptions)] gets the [destination][#peer()] of one peer.
/// A port that [serves][#serve(PrivateData)] answers peers that request its destination. Both kinds of ports may
/// [join][#join(InetAddress)] multicast groups. A [header][io.verbs4j.GlobalRouteHeader] of 40 bytes precedes each
/// received datagram. iWARP has no datagrams.
public final class DatagramPort implements AutoCloseable {
    private final Identifier identifier;
    private final ConnectionOptions options;
    private final ConnectionResources resources;
    private final ConnectionTeardown teardown;
    private final JoinedGroups groups = new JoinedGroups(this);
    private @Nullable DatagramDestination peer;
    private PrivateData peerData = PrivateData.NONE;
    private volatile PrivateData answer = PrivateData.NONE;

    private DatagramPort(Identifier identifier, ConnectionOptions options, ConnectionTeardown teardown) {
        this.identifier = identifier;
        this.options = options;
        this.teardown = teardown;
        this.resources = ConnectionResources.open(
                identifier, options, () -> ConnectionResources.domain(identifier, options), teardown);
        teardown.add(groups::close);
        teardown.add(identifier::close); // first, so that the port serves no more peers
    }

    /// Creates a port whose queue pair is in RTS. The port takes no events yet.
    ///
    /// @param identifier an identifier whose device is known
    private static DatagramPort ready(
            Identifier identifier, ConnectionOptions options, ConnectionTeardown teardown) {
        var port = new DatagramPort(identifier, options, teardown);
        port.queuePair().modify(identifier.attributes(QueuePairState.RTR));
        port.queuePair().modify(identifier.attributes(QueuePairState.RTS));
        return port;
    }

    private static Connector connector(String operation, ConnectionOptions options, ConnectionTeardown teardown) {
        return Connector.open(PortSpace.UDP, operation, options, Deadline.within(options.timeout()), teardown);
    }

    /// Opens a port on a local address.
    ///
    /// @param local address of an RDMA device, not a wildcard; port 0 for any port
    /// @param options a datagram port ignores the options for retries, for reads and atomics, for preparation and for
    ///     messages
    /// @throws VerbsException `EADDRINUSE`, `EADDRNOTAVAIL` or `ENODEV` if port or address is not available; see
    ///     [Identifier#bind]
    public static DatagramPort open(InetSocketAddress local, ConnectionOptions options) {
        if (local.getAddress() != null && local.getAddress().isAnyLocalAddress()) {
            throw new IllegalArgumentException(
                    "datagrams need the address of one device, not a wildcard: local=" + Addresses.text(local));
        }
        try (var teardown = new ConnectionTeardown()) {
            Connector connector = connector("open datagram port on " + Addresses.text(local), options, teardown);
            connector.identifier().bind(local);
            DatagramPort port = ready(connector.identifier(), options, teardown);
            connector.events().handOver(port::on);
            teardown.keep();
            return port;
        }
    }

    /// Opens a port on the device that leads to a peer, and requests the peer's destination. Suits virtual threads.
    ///
    /// @param options with at most 180 bytes of private data
    /// @throws ConnectionRejectedException if no server listens there, or the peer rejects
    /// @throws VerbsException if anything else fails; the message names step, error number, cause and remedy
    public static DatagramPort connect(InetSocketAddress address, ConnectionOptions options)
            throws InterruptedException {
        try (var teardown = new ConnectionTeardown()) {
            Resolved resolved =
                    connector("connect to " + Addresses.text(address), options, teardown).resolve(address);
            DatagramPort port = ready(resolved.identifier(), options, teardown);
            DatagramPath path = resolved.connect(
                    port.queuePair(),
                    ConnectionParameters.DEFAULT
                            .withQueuePairNumber(port.queuePair().number())
                            .withPrivateData(options.privateData()),
                    CmEvent.DatagramsEstablished.class,
                    "the peer's program has not answered")
                    .path();
            port.peer = teardown.make(
                    () -> DatagramDestination.of(port.protectionDomain(), path), DatagramDestination::close);
            port.peerData = path.privateData();
            resolved.events().handOver(port::on);
            teardown.keep();
            return port;
        }
    }

    private void on(CmEvent event) {
        switch (event) {
            case CmEvent.ConnectRequest request -> answer(request.incoming());
            case CmEvent.MulticastJoined joined -> joined.membership().outcome().complete(joined);
            case CmEvent.MulticastFailed failed -> failed.membership().outcome().complete(failed);
            // The kernel removes the device only after this close.
            case CmEvent.DeviceRemoved _ -> identifier.close();
            default -> {
                // Does not concern the port, such as a change of address.
            }
        }
    }

    private void answer(Identifier incoming) {
        try (incoming) {
            incoming.accept(ConnectionParameters.DEFAULT
                    .withQueuePairNumber(queuePair().number())
                    .withPrivateData(answer));
        }
    }

    /// Starts to answer peers that request this address and port. Each answer contains the number and the Q_Key of the
    /// queue pair. Post receives first: peers send as soon as they have the answer.
    ///
    /// @param data private data for the peers, at most 136 bytes
    /// @throws VerbsException `EINVAL` if the port serves already; the answers remain as they were
    public void serve(PrivateData data) {
        Ranges.check("data.size", data.size(), 0, PrivateDataLimits.DATAGRAM_ACCEPT);
        PrivateData former = answer;
        answer = data; // before the first request
        try {
            identifier.listen(0);
        } catch (RuntimeException e) {
            answer = former;
            throw e;
        }
    }

    /// Joins a multicast group. While joined, the queue pair receives the group's datagrams, and the network interface
    /// is in the IP group. If the port has joined a group several times, each datagram arrives once.
    ///
    /// @see #join(InetAddress, boolean)
    public MulticastGroup join(InetAddress group) throws InterruptedException {
        return join(group, false);
    }

    /// Joins a multicast group.
    ///
    /// @param group an IPv4 or IPv6 multicast address, of the same family as the port's own
    /// @param sendOnly true to send without receiving
    /// @throws IllegalArgumentException if `group` is not a multicast address
    /// @throws IllegalStateException if the port is closed
    /// @throws VerbsException if the kernel refuses, or joining exceeds the options' timeout
    public MulticastGroup join(InetAddress group, boolean sendOnly) throws InterruptedException {
        if (!group.isMulticastAddress()) {
            throw new IllegalArgumentException("not a multicast address: group=" + group.getHostAddress());
        }
        return new GroupJoin(this, group, sendOnly).run(options.timeout());
    }

    JoinedGroups groups() {
        return groups;
    }

    /// Returns the peer's destination; empty unless the port was opened by
    /// [#connect(InetSocketAddress, ConnectionOptions)].
    public Optional<DatagramDestination> peer() {
        return Optional.ofNullable(peer);
    }

    /// Returns the private data of the peer's answer; without bytes unless the port was opened by
    /// [#connect(InetSocketAddress, ConnectionOptions)].
    public PrivateData privateData() {
        return peerData;
    }

    /// Returns the queue pair, in RTS.
    public QueuePair queuePair() {
        return resources.queuePair();
    }

    /// Returns the completion queue of sends and receives.
    public CompletionQueue completionQueue() {
        return resources.completionQueue();
    }

    /// Returns the protection domain to allocate memory from. Unless the options specified the domain or a group,
    /// closing the port closes the domain.
    public ProtectionDomain protectionDomain() {
        return queuePair().protectionDomain();
    }

    /// Returns the open device.
    public Context context() {
        return protectionDomain().context();
    }

    /// Returns the identifier, for operations that this class does not offer.
    public Identifier identifier() {
        return identifier;
    }

    /// Returns the local address and port.
    public InetSocketAddress localAddress() {
        return Addresses.present(identifier.addresses().local());
    }

    /// Leaves all groups, stops serving, and closes all resources of the port. Idempotent. After a failure, the close
    /// can be repeated, as [RdmaConnection#close()].
    @Override
    public void close() {
        teardown.end();
    }

    @Override
    public String toString() {
        return "datagram port of " + queuePair();
    }
}
