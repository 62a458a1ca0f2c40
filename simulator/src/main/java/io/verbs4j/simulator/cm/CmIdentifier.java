// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.cm;

import io.verbs4j.abi.cm.CmEventCode;
import io.verbs4j.simulator.engine.Alarm;
import io.verbs4j.simulator.engine.Task;
import io.verbs4j.simulator.kernel.Refusal;
import io.verbs4j.simulator.profile.Behaviour;
import io.verbs4j.simulator.rxe.Address;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.Errno;
import io.verbs4j.types.Gid;
import io.verbs4j.types.PortSpace;
import io.verbs4j.types.QueuePairType;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/// An identifier: `struct rdma_id_private` (cma.c) with the fields that ucma.c adds. It handles addresses and devices.
/// Its [Handshake] handles the exchange with the peer.
final class CmIdentifier {
    /// The states of `enum rdma_cm_state`.
    enum State {
        IDLE, BOUND, ADDRESS_QUERY, ADDRESS_RESOLVED, ROUTE_QUERY, ROUTE_RESOLVED, LISTENING, CONNECTING, DISCONNECTED,
        DEVICE_REMOVED
    }

    /// `RDMA_UDP_QKEY`.
    static final int QKEY = 0x0123_4567;

    /// Time after which Linux gives up on a silent neighbour (`mcast_solicit` times `retrans_time`).
    private static final long SILENCE = 3_000_000_000L;
    private static final int HOPS = 64;

    private final ConnectionManager manager;
    private final PortSpace space;
    private final QueuePairType type;
    final CmOptions options = new CmOptions();
    final Memberships memberships;
    final Handshake handshake;
    final int psn;
    final int number;
    private final Alarm neighbour;
    private CmFile file;
    private long uid;
    private State state = State.IDLE;
    private InetSocketAddress local = IpAddresses.any(false);
    private @Nullable InetSocketAddress remote;
    private @Nullable CmPort port;
    /// The network interface that remained assigned when a bind failed because the port was taken.
    private @Nullable CmPort leftover;
    private int reported;
    private boolean gone;

    CmIdentifier(ConnectionManager manager, CmFile file, long uid, PortSpace space, QueuePairType type) {
        this.manager = manager;
        this.file = file;
        this.uid = uid;
        this.space = space;
        this.type = type;
        this.psn = manager.environment.random().nextInt(1 << 24);
        this.neighbour = manager.environment.simulation().alarm(this::neighbourIsSilent);
        this.memberships = new Memberships(this, manager);
        this.handshake = new Handshake(this, manager);
        this.number = manager.add(this);
    }

    /// Creates an identifier for a request. It has no name yet.
    CmIdentifier(CmIdentifier listener, CmIdentifier asker) {
        this(listener.manager, listener.file, 0, listener.space, listener.type);
        local = asker.remote();
        remote = asker.local;
        port = manager.environment.holder(IpAddresses.address(local));
        state = State.CONNECTING;
        options.typeOfService = asker.options.typeOfService;
    }

    CmFile file() {
        return file;
    }

    void adoptedBy(CmFile other) {
        file = other;
    }

    boolean isGone() {
        return gone;
    }

    int reported() {
        return reported;
    }

    /// Returns whether the route to the peer is known.
    boolean isRouted() {
        return state == State.ROUTE_RESOLVED || state == State.CONNECTING || state == State.DISCONNECTED;
    }

    State state() {
        return state;
    }

    void state(State next) {
        state = next;
    }

    /// Returns the name for its events; 0 before the program has set one.
    long name() {
        return uid;
    }

    void name(long chosen) {
        uid = chosen;
    }

    PortSpace portSpace() {
        return space;
    }

    boolean isOfDatagrams() {
        return type == QueuePairType.UD;
    }

    InetSocketAddress local() {
        return local;
    }

    /// Returns the peer's address; the wildcard if there is none.
    InetSocketAddress remote() {
        InetSocketAddress known = remote;
        return known == null ? IpAddresses.any(IpAddresses.isIpv6(local)) : known;
    }

    boolean hasRemote() {
        return remote != null;
    }

    @Nullable
    CmPort port() {
        return port;
    }

    boolean hasDevice() {
        return port != null;
    }

    boolean has(Behaviour behaviour) {
        return manager.environment.profile().has(behaviour);
    }

    /// Returns the kernel's default acknowledgement timeout: 4.096 µs · 2^n.
    int acknowledgeTimeout() {
        return has(Behaviour.CONNECTIONS_WAIT_LONGER) ? 19 : 17;
    }

    void choosePort(int chosen) {
        local = new InetSocketAddress(local.getAddress(), chosen);
    }

    void require(State needed) {
        Refusal.unless(state == needed, Errno.EINVAL);
    }

    void setReuseAddress(boolean reuse) {
        Refusal.unless(reuse ? state != State.LISTENING : state == State.IDLE, Errno.EINVAL);
        options.reusesAddress = reuse;
    }

    void setOneFamilyOnly(boolean only) {
        Refusal.unless(state == State.IDLE || state == State.BOUND, Errno.EINVAL);
        options.oneFamilyOnly = only;
        options.familyIsChosen = true;
    }

    /// Binds the identifier (`rdma_bind_addr_dst`).
    void bind(InetSocketAddress address) {
        require(State.IDLE);
        if (!address.getAddress().isAnyLocalAddress()) {
            port = holder(address);
        }
        local = address;
        if (!options.familyIsChosen) {
            options.oneFamilyOnly = !IpAddresses.isIpv6(address);
        }
        try {
            manager.ports.take(this);
        } catch (Refusal refusal) {
            leftover = port;
            port = null;
            local = IpAddresses.any(false);
            throw refusal;
        }
        state = State.BOUND;
    }

    private CmPort holder(InetSocketAddress address) {
        CmPort found = manager.environment.holder(IpAddresses.address(address));
        CmPort former = leftover;
        if (former != null && !former.equals(found)) {
            throw new Refusal(Errno.ENODEV);
        }
        if (found == null) {
            throw new Refusal(Errno.EADDRNOTAVAIL);
        }
        return found;
    }

    /// Starts to resolve a peer's address (`rdma_resolve_addr`).
    void resolveAddress(@Nullable InetSocketAddress source, InetSocketAddress destination, int millis) {
        if (state != State.BOUND) {
            boolean free = source == null || (source.getAddress().isAnyLocalAddress() && source.getPort() == 0);
            bind(free || source == null ? IpAddresses.any(IpAddresses.isIpv6(destination)) : source);
        }
        Refusal.unless(IpAddresses.isIpv6(local) == IpAddresses.isIpv6(destination), Errno.EINVAL);
        boolean loopback = destination.getAddress().isLoopbackAddress();
        Environment.Route route =
                loopback ? null
                        : manager.environment.route(IpAddresses.address(destination), IpAddresses.scope(destination));
        Refusal.when(route == null && !loopback, Errno.ENETUNREACH);
        state = State.ADDRESS_QUERY;
        remote = destination;
        if (route != null && port == null) {
            local = new InetSocketAddress(route.address().toInetAddress(), local.getPort());
            port = route.port();
        }
        CmPort by = port;
        if (by == null || manager.environment.answers(by, IpAddresses.address(destination))) {
            later(State.ADDRESS_QUERY, () -> {
                state = State.ADDRESS_RESOLVED;
                event(CmEventCode.ADDR_RESOLVED, 0);
            });
        } else {
            neighbour.set(Math.min(millis * 1_000_000L, SILENCE));
        }
    }

    private void neighbourIsSilent() {
        if (state == State.ADDRESS_QUERY) {
            state = State.BOUND;
            event(CmEventCode.ADDR_ERROR, -Errno.ETIMEDOUT);
        }
    }

    /// Schedules a task that runs only if the state is still the same.
    private void later(State expected, Task task) {
        manager.environment.simulation().add(() -> {
            if (state == expected && !gone) {
                task.run();
            }
        });
    }

    /// Starts to resolve the route (`rdma_resolve_route`). Over Ethernet this succeeds at once.
    void resolveRoute(int millis) {
        require(State.ADDRESS_RESOLVED);
        Refusal.unless(millis > 0, Errno.EINVAL);
        Refusal.when(port == null, Errno.ENODEV); // the route to this host itself
        state = State.ROUTE_QUERY;
        later(State.ROUTE_QUERY, () -> {
            state = State.ROUTE_RESOLVED;
            event(CmEventCode.ROUTE_RESOLVED, 0);
        });
    }

    /// Listens (`rdma_listen`).
    void listen(int most) {
        if (state != State.BOUND) {
            bind(IpAddresses.any(false));
        }
        if (options.reusesAddress) {
            manager.ports.check(this, false);
        }
        state = State.LISTENING;
        handshake.listen(most);
    }

    boolean listensAt(PortSpace wanted, InetSocketAddress address) {
        InetAddress own = local.getAddress();
        return state == State.LISTENING
                && space == wanted
                && local.getPort() == address.getPort()
                && (own.equals(address.getAddress())
                        || (own.isAnyLocalAddress()
                                && (IpAddresses.isIpv6(local) == IpAddresses.isIpv6(address)
                                        || (IpAddresses.isIpv6(local) && !options.oneFamilyOnly))));
    }

    /// Returns the path to a peer or a group.
    AddressVector path(Address destination) {
        CmPort by = port;
        if (by == null) {
            throw new Refusal(Errno.ENODEV);
        }
        return new AddressVector(
                new Gid(destination.high(), destination.low()),
                Math.max(by.gidIndex(IpAddresses.address(local)), 0),
                0,
                destination.isMulticast() ? 1 : HOPS,
                options.typeOfService,
                0,
                CmPort.NUMBER,
                0);
    }

    void write(CmEventCode code, int status, long argument) {
        post(CmEvents.user(uid, number, code, status, argument));
    }

    void event(CmEventCode code, int status) {
        post(CmEvents.plain(uid, number, code, status));
    }

    /// Queues an event. Drops it if the identifier has no name yet.
    void post(byte[] record) {
        if (uid != 0 && !gone) {
            file.post(this, this, record, this::countReported);
        }
    }

    void countReported() {
        reported++;
    }

    /// Moves the identifier, together with its events, to another file.
    ///
    /// @return the number of events that the former file has reported
    int migrate(CmFile to) {
        file.moveEvents(this, to);
        adoptedBy(to);
        return reported;
    }

    /// Destroys the identifier.
    ///
    /// @return the number of its reported events
    int destroy() {
        gone = true;
        neighbour.cancel();
        memberships.clear();
        handshake.leave();
        file.forget(this);
        manager.remove(this);
        return reported;
    }

    void deviceRemoved() {
        state = State.DEVICE_REMOVED;
        neighbour.cancel();
        event(CmEventCode.DEVICE_REMOVAL, 0);
    }

    /// Returns how long packets of an ended connection may still be in flight, in nanoseconds.
    long timeWait() {
        return 4096L << acknowledgeTimeout();
    }

    long deviceGuid() {
        CmPort own = port;
        return own == null ? 0 : own.node().guid();
    }

    void carry(Task message) {
        CmPort by = port;
        if (by != null) {
            manager.environment.carry(by, IpAddresses.address(remote()), message);
        }
    }

    @Nullable
    ConnectionManager managerOfPeer() {
        return manager.environment.managerAt(IpAddresses.address(remote()));
    }
}
