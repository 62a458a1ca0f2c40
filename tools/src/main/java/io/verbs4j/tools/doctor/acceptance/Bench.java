// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.doctor.acceptance;

import io.verbs4j.Context;
import io.verbs4j.Device;
import io.verbs4j.PreparedQueuePair;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePairBuilder;
import io.verbs4j.abi.failure.Closing;
import io.verbs4j.cm.ConnectionOptions;
import io.verbs4j.cm.EventChannel;
import io.verbs4j.cm.Identifier;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.cm.RdmaServer;
import io.verbs4j.tools.common.ToolException;
import io.verbs4j.types.Access;
import io.verbs4j.types.Feature;
import io.verbs4j.types.NodeType;
import io.verbs4j.types.PortSpace;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.VerbsException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The device under test, which it opens, and the queue pairs of the checks. Not thread-safe.
final class Bench implements AutoCloseable {
    /// Inline data limit of the shared connection, in bytes.
    static final int INLINE = 64;

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final Context context;
    private final ProtectionDomain domain;
    private final Access[] rights;
    private final int port;
    private final long memory;
    private @Nullable Pair common;

    /// @param port number of the port under test
    /// @param memory bytes of each queue pair's memory
    Bench(Device device, int port, long memory) {
        this.port = port;
        this.memory = memory;
        this.context = device.open();
        try {
            this.domain = context.allocateProtectionDomain();
            this.rights = rights(context);
        } catch (RuntimeException | Error e) {
            Closing.allAfter(e, context::close);
            throw e;
        }
    }

    /// Returns the access rights that a device supports.
    private static Access[] rights(Context context) {
        var all = EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE);
        if (context.supports(Feature.ATOMICS)) {
            all.add(Access.REMOTE_ATOMIC);
        }
        if (context.supports(Feature.MEMORY_WINDOW_TYPE_1) || context.supports(Feature.MEMORY_WINDOW_TYPE_2)) {
            all.add(Access.MEMORY_WINDOW_BIND);
        }
        return all.toArray(Access[]::new);
    }

    Context context() {
        return context;
    }

    ProtectionDomain domain() {
        return domain;
    }

    /// Returns the number of the port under test.
    int port() {
        return port;
    }

    /// Returns whether the device connects only by IP address, like iWARP.
    boolean connectsByAddress() {
        return context.device().nodeType().equals(NodeType.RNIC);
    }

    /// Returns the reliable connection that checks share. Each check leaves it unchanged.
    Pair common() throws InterruptedException {
        Pair pair = common;
        if (pair == null) {
            pair = pair(QueuePairType.RC, builder -> builder.maxInlineData(INLINE));
            common = pair;
        }
        return pair;
    }

    /// Closes the shared connection. The next check creates another one.
    void discard() {
        Pair pair = common;
        common = null;
        if (pair != null) {
            pair.close();
        }
    }

    /// Creates two queue pairs that are connected with each other.
    Pair pair(QueuePairType type, UnaryOperator<QueuePairBuilder> change) throws InterruptedException {
        return pair(type, change, change);
    }

    /// Creates two queue pairs that are connected with each other.
    Pair pair(QueuePairType type, UnaryOperator<QueuePairBuilder> ofLeft, UnaryOperator<QueuePairBuilder> ofRight)
            throws InterruptedException {
        var pair = new Pair(new Peer(context, domain, memory, rights), new Peer(context, domain, memory, rights));
        boolean connected = false;
        try {
            if (connectsByAddress() && type == QueuePairType.RC) {
                connectByAddress(pair, ofLeft, ofRight);
            } else {
                connect(pair, type, ofLeft, ofRight);
            }
            connected = true;
            return pair;
        } finally {
            if (!connected) {
                pair.close();
            }
        }
    }

    private void connect(
            Pair pair,
            QueuePairType type,
            UnaryOperator<QueuePairBuilder> ofLeft,
            UnaryOperator<QueuePairBuilder> ofRight) {
        try (
                PreparedQueuePair left = prepare(pair.left(), type, ofLeft);
                PreparedQueuePair right = prepare(pair.right(), type, ofRight)) {
            boolean connected = type != QueuePairType.UD;
            pair.left().connected(connected ? left.connect(right.endpoint()) : left.start());
            pair.right().connected(connected ? right.connect(left.endpoint()) : right.start());
        }
    }

    private PreparedQueuePair prepare(Peer peer, QueuePairType type, UnaryOperator<QueuePairBuilder> change) {
        return change.apply(domain.queuePair(type, peer.queue()).port(port)).prepare();
    }

    private void connectByAddress(Pair pair, UnaryOperator<QueuePairBuilder> ofLeft,
            UnaryOperator<QueuePairBuilder> ofRight)
            throws InterruptedException {
        var own = new InetSocketAddress(ownAddress(context.device()), 0);
        try (RdmaServer server = RdmaServer.listen(own, options(pair.right(), ofRight))) {
            var accepting = server.acceptAsync();
            pair.left()
                    .connected(RdmaConnection.connect(
                            server.localAddress(), options(pair.left(), ofLeft).withSource(own)));
            pair.right().connected(accepting.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS));
        } catch (ExecutionException | TimeoutException e) {
            throw new ToolException("cannot connect to the device's own address " + own + ": " + e.getMessage());
        }
    }

    private ConnectionOptions options(Peer peer, UnaryOperator<QueuePairBuilder> change) {
        return ConnectionOptions.defaults()
                .withTimeout(TIMEOUT)
                .withProtectionDomain(domain)
                .withCompletionQueue(peer.queue())
                .withQueuePair(builder -> {
                    QueuePairBuilder _ = change.apply(builder); // the function modifies the builder
                });
    }

    /// Checks that a completed RDMA write is in the peer's memory. Over iWARP a write completes when TCP has accepted
    /// it, so the bytes may arrive later.
    void requireWritten(MemorySegment sent, MemorySegment received) throws InterruptedException {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (connectsByAddress() && sent.mismatch(received) >= 0 && System.nanoTime() < deadline) {
            Thread.sleep(1);
        }
        Pair.requireSame(sent, received);
    }

    /// Returns the device's own IP address. Asks the connection manager for the device of each address of this machine.
    static InetAddress ownAddress(Device device) {
        try (EventChannel channel = EventChannel.open()) {
            List<InetAddress> addresses = NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
                    .toList();
            for (InetAddress address : addresses) {
                if (belongsTo(device, address, channel)) {
                    return address;
                }
            }
            throw new ToolException(
                    device + " has no IP address; add one to its network interface (" + addresses
                            + " belong to others)");
        } catch (SocketException e) {
            throw new ToolException("cannot list this machine's addresses: " + e.getMessage());
        }
    }

    private static boolean belongsTo(Device device, InetAddress address, EventChannel channel) {
        try (Identifier identifier = channel.create(PortSpace.TCP)) {
            identifier.bind(new InetSocketAddress(address, 0));
            return identifier.device().map(Device::name).filter(device.name()::equals).isPresent();
        } catch (VerbsException e) {
            return false; // no RDMA device has this address
        }
    }

    /// Closes everything, even if closing a part fails.
    @Override
    public void close() {
        try (context; domain) {
            discard();
        }
    }
}
