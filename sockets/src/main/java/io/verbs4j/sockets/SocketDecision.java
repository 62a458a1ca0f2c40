// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import io.verbs4j.cm.CompletionWatch;
import io.verbs4j.cm.stream.StreamEndpoint;
import io.verbs4j.cm.stream.StreamOptions;
import io.verbs4j.sockets.SocketRules.Transport;
import io.verbs4j.types.VerbsException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.NoConnectionPendingException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Connects an undecided channel, over RDMA or TCP.
///
/// While the channel is undecided, a channel of the JDK holds the local address. Over TCP, that channel connects. Over
/// RDMA, a virtual thread connects from the same address and port. Ports are not shared between TCP and RDMA. If the
/// kernel has chosen a port that is in use over RDMA, the channel gets another port when it connects.
final class SocketDecision {
    private static final long NO_LIMIT = -1;

    private final MixedChannel owner;
    private final SocketContext context;
    private final @Nullable ProtocolFamily family;
    private final SocketSettings settings;
    private final ChannelKeys keys;
    private final Object state = new Object();

    // Written while holding the monitor of `state`.
    private volatile @Nullable SocketChannel bound;
    private volatile @Nullable Attempt attempt;
    private volatile @Nullable SocketSide side;
    private volatile boolean connected;
    private volatile @Nullable InetSocketAddress remote;
    private boolean blocking = true; // guarded by `state`
    private boolean anyPort; // guarded by `state`: the kernel has chosen the local port

    SocketDecision(
            MixedChannel owner,
            SocketContext context,
            @Nullable ProtocolFamily family,
            SocketSettings settings,
            ChannelKeys keys) {
        this.owner = owner;
        this.context = context;
        this.family = family;
        this.settings = settings;
        this.keys = keys;
    }

    /// Returns the RDMA or TCP side of the channel; null before the transport is decided.
    @Nullable
    SocketSide side() {
        return side;
    }

    void decide(Attempt.Connected connection) throws IOException {
        StreamEndpoint endpoint = connection.stream();
        if (endpoint != null) {
            try {
                become(new RdmaSide(owner, endpoint));
            } catch (VerbsException | IllegalStateException e) { // no addresses, for example without the device
                endpoint.abort();
                throw SocketFailures.connecting(e);
            }
            endpoint.onReady(keys::signal);
        } else {
            become(new TcpSide(owner, Objects.requireNonNull(connection.tcp())));
        }
        connected = true;
    }

    private void become(SocketSide decided) {
        side = decided;
        SocketCounters.OPEN.add(decided);
    }

    void bind(@Nullable SocketAddress local) throws IOException {
        synchronized (state) {
            owner.requireOpen();
            if (isConnectionPending()) {
                throw new ConnectionPendingException();
            }
            if (bound != null || connected) {
                throw new AlreadyBoundException();
            }
            InetSocketAddress address = SocketAddresses.local(local, family);
            SocketChannel channel = openTcp();
            try {
                channel.bind(address);
            } catch (IOException | RuntimeException e) {
                channel.close();
                throw e;
            }
            bound = channel;
            anyPort = address.getPort() == 0;
        }
    }

    private SocketChannel openTcp() throws IOException {
        SocketChannel already = bound;
        if (already != null) {
            return already;
        }
        SocketChannel channel = family == null
                ? JdkProvider.get().openSocketChannel()
                : JdkProvider.get().openSocketChannel(family);
        try {
            settings.applyTo(channel);
            return channel;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /// Connects as a channel does.
    ///
    /// @return false in non-blocking mode, if the connection is not established yet
    boolean connect(SocketAddress remote) throws IOException {
        InetSocketAddress address = SocketAddresses.remote(remote, family);
        Attempt started = start(address, 0);
        return started == null
                ? connectTcp(tcp(), address)
                : owner.isBlocking() && awaitAttempt(started, NO_LIMIT);
    }

    /// Connects in blocking mode, with a timeout.
    ///
    /// @param millis 0 for no limit
    void connect(SocketAddress remote, int millis) throws IOException {
        InetSocketAddress address = SocketAddresses.remote(remote, family);
        Attempt started = start(address, millis);
        if (started == null) {
            closingAfterFailure(() -> tcp().socket().connect(address, millis));
            connected = true;
        } else if (!awaitAttempt(started, millis == 0 ? NO_LIMIT : millis)) {
            owner.close();
            throw new SocketTimeoutException("Connect timed out");
        }
    }

    /// @param millis the program's timeout; 0 for none
    /// @return null over TCP
    private @Nullable Attempt start(InetSocketAddress address, int millis) throws IOException {
        synchronized (state) {
            owner.requireOpen();
            if (connected) {
                throw new AlreadyConnectedException();
            }
            if (isConnectionPending()) {
                throw new ConnectionPendingException();
            }
            remote = address;
            Transport transport = context.connecting(address);
            if (transport == Transport.TCP) {
                SocketChannel channel = openTcp();
                channel.configureBlocking(blocking);
                become(new TcpSide(owner, channel));
                bound = null;
                keys.signal();
                return null;
            } else {
                StreamOptions options = context.options(transport, millis);
                SocketChannel source = bound;
                var created = new Attempt(
                        context,
                        transport,
                        address,
                        source == null
                                ? options
                                : options.withSource(SocketAddresses.source(
                                        (InetSocketAddress) source.getLocalAddress(), address)),
                        anyPort,
                        this::openTcp,
                        keys::signal);
                attempt = created;
                created.start(); // last: a signal makes a selector read the field
                return created;
            }
        }
    }

    private SocketChannel tcp() {
        return ((TcpSide) Objects.requireNonNull(side)).channel();
    }

    private boolean connectTcp(SocketChannel channel, InetSocketAddress address) throws IOException {
        closingAfterFailure(() -> connected = channel.connect(address));
        return connected;
    }

    /// A step whose failure may leave the channel unusable.
    private interface Step {
        void run() throws IOException;
    }

    private void closingAfterFailure(Step step) throws IOException {
        try {
            step.run();
        } catch (NoConnectionPendingException e) {
            throw e; // another thread is about to connect
        } catch (IOException | RuntimeException e) {
            owner.close();
            throw e;
        }
    }

    /// Waits for the result of an attempt, and adopts it unless another thread has done so. In non-blocking mode,
    /// requires that the attempt has ended. As in the JDK, an interrupt then has no effect.
    ///
    /// @return false after the timeout
    private boolean awaitAttempt(Attempt waiting, long millis) throws IOException {
        boolean blocks = owner.isBlocking();
        boolean done = false;
        try {
            if (blocks) {
                owner.beginBlocking();
            }
            try {
                done = adopt(waiting.await(millis));
            } catch (InterruptedException e) {
                owner.interrupted();
            } catch (IOException e) {
                if (owner.isOpen()) {
                    done = true;
                    owner.close();
                    throw e;
                }
            }
        } finally {
            if (blocks) {
                owner.endBlocking(done || owner.isOpen());
            }
        }
        if (!done) {
            owner.requireOpen();
        }
        return done;
    }

    private boolean adopt(Attempt.@Nullable Connected result) throws IOException {
        if (result == null) {
            return false;
        }
        synchronized (state) {
            if (!owner.isOpen()) {
                result.close();
                throw new AsynchronousCloseException();
            }
            if (connected) {
                return true;
            }
            SocketChannel tcp = result.tcp();
            SocketChannel unused = bound;
            if (tcp != null) {
                tcp.configureBlocking(blocking);
            } else if (unused != null) {
                unused.close();
            }
            bound = null;
            decide(result);
            if (tcp != null) {
                settings.applyTo(tcp); // also what the program has set during the attempt
            }
            attempt = null;
        }
        keys.signal();
        return true;
    }

    boolean finishConnect() throws IOException {
        owner.requireOpen();
        if (connected) {
            return true;
        }
        if (side instanceof TcpSide tcp) {
            closingAfterFailure(() -> connected = tcp.channel().finishConnect());
            return connected;
        }
        Attempt waiting = attempt;
        if (waiting != null) {
            return (owner.isBlocking() || waiting.isDone()) && awaitAttempt(waiting, NO_LIMIT);
        }
        if (connected) { // another thread has just adopted the result
            return true;
        }
        throw new NoConnectionPendingException();
    }

    boolean isConnected() {
        return connected;
    }

    /// Returns the peer's address, already while the connection is pending, also after closing; null without a peer.
    @Nullable
    InetSocketAddress remoteAddress() {
        SocketSide decided = side;
        return decided != null && connected ? decided.peerAddress() : remote;
    }

    boolean isConnectionPending() {
        return !connected && (attempt != null || side != null);
    }

    /// Returns the local address, also after closing; null before the channel is bound.
    @Nullable
    InetSocketAddress localAddress() {
        SocketSide decided = side;
        SocketChannel unused = bound;
        return decided != null
                ? decided.localAddress()
                : unused == null ? null : (InetSocketAddress) unused.socket().getLocalSocketAddress();
    }

    <T> void setOption(SocketOption<T> option, T value) throws IOException {
        SocketSide decided = side;
        SocketChannel unused = bound;
        if (decided != null) {
            decided.setOption(option, value);
        } else if (unused != null) {
            unused.setOption(option, value);
        }
    }

    int readyOps() {
        SocketSide decided = side;
        if (connected && decided != null) {
            return decided.readyOps();
        }
        Attempt waiting = attempt;
        return waiting != null && waiting.isDone() ? SelectionKey.OP_CONNECT : 0;
    }

    /// Moves the events of a connection over RDMA to the watch of a selector, or to the thread of verbs4j. That thread
    /// handles the events of blocking channels, of channels with several selectors, and of channels that are closing.
    ///
    /// @param watch null for the thread of verbs4j
    void watch(@Nullable CompletionWatch watch) {
        synchronized (state) {
            if (side instanceof RdmaSide rdma && rdma.isWatchable() && owner.isOpen()) {
                rdma.watch(blocking || keys.areSeveral() ? null : watch);
            }
        }
    }

    /// A change of the mode of a JDK channel waits for the threads that read and write. Closing the channel ends this
    /// wait, but needs the monitor. Therefore this method waits without the monitor.
    void configureBlocking(boolean block) throws IOException {
        SocketSide decided;
        synchronized (state) {
            decided = side;
            blocking = block;
            watch(null);
        }
        if (decided != null) {
            keys.cancelInner();
            decided.configureBlocking(block);
        }
    }

    void close(int linger, boolean blocking) throws IOException {
        Attempt waiting;
        SocketChannel unused;
        SocketSide decided;
        synchronized (state) {
            waiting = attempt;
            unused = bound;
            decided = side;
            if (decided instanceof RdmaSide rdma && rdma.isWatchable()) {
                rdma.watch(null);
            }
        }
        if (waiting != null) {
            waiting.cancel();
        }
        if (unused != null) {
            unused.close();
        }
        if (decided != null) {
            SocketCounters.OPEN.remove(decided);
            decided.close(linger, blocking);
        }
    }
}
