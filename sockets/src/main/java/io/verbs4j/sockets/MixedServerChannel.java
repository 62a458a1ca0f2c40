// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import io.verbs4j.cm.stream.RdmaStreamServer;
import io.verbs4j.cm.stream.StreamEndpoint;
import io.verbs4j.sockets.SocketRules.Action;
import io.verbs4j.sockets.SocketRules.Transport;
import io.verbs4j.types.VerbsException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A listener that serves RDMA, TCP, or both on one port.
final class MixedServerChannel extends ServerSocketChannel implements MixedSelectable {
    private static final System.Logger LOGGER = System.getLogger("io.verbs4j.sockets");
    private static final int DEFAULT_BACKLOG = 50;
    private static final int PORT_ATTEMPTS = 20;
    /// Maximum number of RDMA peers that wait for a place in the backlog: the kernel's maximum. A waiting peer occupies
    /// no memory of this process.
    private static final int REQUESTS = 1024;

    private final RdmaSelectorProvider rdmaProvider;
    private final @Nullable ProtocolFamily family;
    private final SocketSettings settings;
    private final ChannelKeys keys = new ChannelKeys();
    private final ReentrantLock accepting = new ReentrantLock();
    private final Object state = new Object();
    private final AcceptQueue accepted = new AcceptQueue();
    private final ChannelServerSocket adaptor = new ChannelServerSocket(this);

    // Written while holding the monitor of `state`.
    private volatile @Nullable ServerSocketChannel tcp;
    private volatile @Nullable RdmaStreamServer rdma;
    /// The selector that a blocking accept waits in.
    private volatile @Nullable Selector waiting;

    /// @param family null for both
    MixedServerChannel(RdmaSelectorProvider provider, @Nullable ProtocolFamily family) {
        super(provider);
        this.rdmaProvider = provider;
        this.family = family;
        this.settings = SocketSettings.ofServer(provider.context().options().receiveBytes());
    }

    private void requireOpen() throws ClosedChannelException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
    }

    boolean isBound() {
        return tcp != null || rdma != null;
    }

    @Override
    public ServerSocketChannel bind(@Nullable SocketAddress local, int backlog) throws IOException {
        InetSocketAddress address = SocketAddresses.local(local, family);
        synchronized (state) {
            requireOpen();
            if (isBound()) {
                throw new AlreadyBoundException();
            }
            int wanted = backlog < 1 ? DEFAULT_BACKLOG : backlog;
            Transport transport = rdmaProvider.context().rules().transport(Action.BIND, address);
            if (transport == Transport.TCP) {
                tcp = listenTcp(address, wanted);
            } else if (address.getAddress().isAnyLocalAddress()) {
                listenBoth(address, wanted, transport);
            } else {
                listenAt(address, wanted, transport);
            }
        }
        LOGGER.log(Level.DEBUG, "{0}", this);
        keys.signal();
        return this;
    }

    private ServerSocketChannel listenTcp(InetSocketAddress address, int backlog) throws IOException {
        ServerSocketChannel channel = family == null
                ? JdkProvider.get().openServerSocketChannel()
                : JdkProvider.get().openServerSocketChannel(family);
        try {
            settings.applyTo(channel);
            channel.configureBlocking(isBlocking());
            channel.bind(address, backlog);
            return channel;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private RdmaStreamServer listenRdma(InetSocketAddress address, int backlog) {
        RdmaStreamServer server = RdmaStreamServer.listen(address, rdmaProvider.context().options(), REQUESTS);
        server.acceptEach(backlog, connection -> accepted.add(connection, this::added));
        return server;
    }

    /// Runs after a connection over RDMA was added to the queue.
    private void added() {
        if (!isOpen()) {
            accepted.abortAll();
        }
        keys.signal();
        Selector blocked = waiting;
        if (blocked != null) {
            blocked.wakeup();
        }
    }

    /// Listens at one address. Listens over RDMA if the address belongs to an RDMA device.
    private void listenAt(InetSocketAddress address, int backlog, Transport transport) throws IOException {
        try {
            rdma = listenRdma(address, backlog);
        } catch (VerbsException e) {
            if (transport == Transport.RDMA) {
                throw SocketFailures.binding(e);
            }
            SocketCounters.fellBack(address, e);
            tcp = listenTcp(address, backlog);
            return;
        }
        if (transport == Transport.RDMA_OR_TCP) {
            // Peers may also come over TCP: peers without RDMA, and peers whose rules require TCP.
            try {
                tcp = listenTcp(new InetSocketAddress(address.getAddress(), localPort(rdma)), backlog);
            } catch (IOException e) {
                LOGGER.log(Level.INFO, "{0} listens over RDMA only, because listening over TCP failed: {1}", rdma,
                        e.getMessage());
            }
        }
    }

    private static int localPort(@Nullable RdmaStreamServer server) {
        return Objects.requireNonNull(server).localAddress().getPort();
    }

    /// Listens at all addresses, at the same port over RDMA and TCP.
    private void listenBoth(InetSocketAddress address, int backlog, Transport transport) throws IOException {
        for (int attempt = 1;; attempt++) {
            ServerSocketChannel channel = listenTcp(address, backlog);
            // The bound wildcard depends on whether the JDK's channel serves both families.
            var bound = (InetSocketAddress) channel.getLocalAddress();
            try {
                rdma = listenRdma(bound, backlog);
                tcp = channel;
                return;
            } catch (VerbsException e) {
                boolean again = SocketFailures.isPortTaken(e)
                        && address.getPort() == 0
                        && attempt < PORT_ATTEMPTS;
                if (transport == Transport.RDMA || again) {
                    channel.close();
                }
                if (again) {
                    continue;
                }
                if (transport == Transport.RDMA) {
                    throw SocketFailures.binding(e);
                }
                SocketCounters.fellBack(bound, e);
                tcp = channel;
                return;
            }
        }
    }

    @Override
    public @Nullable SocketChannel accept() throws IOException {
        accepting.lock();
        try {
            requireOpen();
            if (!isBound()) {
                throw new NotYetBoundException();
            }
            SocketChannel channel = acceptNow();
            return channel == null && isBlocking() ? acceptWaiting() : channel;
        } finally {
            accepting.unlock();
        }
    }

    private @Nullable SocketChannel acceptNow() throws IOException {
        StreamEndpoint endpoint = accepted.take();
        if (endpoint != null) {
            SocketCounters.RDMA_ACCEPTS.increment();
            return MixedChannel.accepted(rdmaProvider, new Attempt.Connected(endpoint, null));
        }
        ServerSocketChannel channel = tcp;
        if (channel == null || channel.isBlocking()) {
            return null;
        }
        SocketChannel peer = channel.accept();
        return peer == null ? null : ofTcp(peer);
    }

    private SocketChannel ofTcp(SocketChannel peer) throws IOException {
        SocketCounters.TCP_ACCEPTS.increment();
        peer.configureBlocking(true);
        return MixedChannel.accepted(rdmaProvider, new Attempt.Connected(null, peer));
    }

    /// Waits for a peer, over RDMA or TCP.
    @Nullable
    SocketChannel acceptWaiting(long millis) throws IOException {
        accepting.lock();
        try {
            SocketChannel channel = acceptNow();
            return channel == null ? acceptWithin(millis) : channel;
        } finally {
            accepting.unlock();
        }
    }

    private SocketChannel acceptWaiting() throws IOException {
        SocketChannel channel = acceptWithin(0);
        if (channel == null) {
            throw new ClosedChannelException();
        }
        return channel;
    }

    /// @param millis 0 for no limit
    private @Nullable SocketChannel acceptWithin(long millis) throws IOException {
        ServerSocketChannel channel = tcp;
        SocketChannel peer = null;
        try {
            begin();
            try (Selector selector = JdkProvider.get().openSelector()) {
                if (channel != null) {
                    channel.configureBlocking(false);
                    channel.register(selector, SelectionKey.OP_ACCEPT);
                }
                waiting = selector;
                long deadline = System.nanoTime() + millis * 1_000_000;
                peer = acceptNow();
                while (peer == null && isOpen() && !Thread.currentThread().isInterrupted()) {
                    long left = millis == 0 ? 0 : (deadline - System.nanoTime() + 999_999) / 1_000_000;
                    if (millis != 0 && left <= 0) {
                        break;
                    }
                    selector.select(left);
                    selector.selectedKeys().clear();
                    peer = acceptNow();
                }
            } catch (ClosedChannelException e) {
                if (isOpen()) {
                    throw e;
                }
            } finally {
                waiting = null;
            }
        } finally {
            end(peer != null || isOpen());
        }
        if (peer == null && Thread.currentThread().isInterrupted()) {
            close(); // the interrupt has ended the selection only
            throw new ClosedByInterruptException();
        }
        if (channel != null && isOpen()) {
            channel.configureBlocking(isBlocking());
        }
        return peer;
    }

    @Override
    public @Nullable SocketAddress getLocalAddress() throws IOException {
        requireOpen();
        ServerSocketChannel channel = tcp;
        RdmaStreamServer server = rdma;
        if (channel != null) {
            return channel.getLocalAddress();
        }
        try {
            return server == null ? null : server.localAddress();
        } catch (IllegalStateException e) { // closed meanwhile
            throw SocketFailures.with(new ClosedChannelException(), e);
        }
    }

    @Override
    public <T> ServerSocketChannel setOption(SocketOption<T> option, T value) throws IOException {
        settings.set(option, value);
        requireOpen();
        ServerSocketChannel channel = tcp;
        if (channel != null) {
            channel.setOption(option, value);
        }
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> option) throws IOException {
        T value = settings.get(option);
        requireOpen();
        return value;
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return settings.supported();
    }

    @Override
    public ChannelServerSocket socket() {
        return adaptor;
    }

    @Override
    public int readyOps() {
        return accepted.isEmpty() ? 0 : SelectionKey.OP_ACCEPT;
    }

    @Override
    public @Nullable SelectableChannel inner() {
        return tcp;
    }

    @Override
    public void attach(MixedKey key) {
        keys.attach(key);
    }

    @Override
    public void detach(MixedKey key) {
        keys.detach(key);
    }

    @Override
    protected void implConfigureBlocking(boolean block) throws IOException {
        synchronized (state) {
            ServerSocketChannel channel = tcp;
            if (channel != null) {
                keys.cancelInner();
                channel.configureBlocking(block);
            }
        }
    }

    @Override
    protected void implCloseSelectableChannel() throws IOException {
        ServerSocketChannel channel;
        RdmaStreamServer server;
        synchronized (state) {
            channel = tcp;
            server = rdma;
        }
        try {
            if (server != null) {
                server.close();
            }
        } catch (VerbsException e) {
            throw SocketFailures.binding(e);
        } finally {
            if (channel != null) {
                channel.close();
            }
            accepted.abortAll();
            Selector blocked = waiting;
            if (blocked != null) {
                blocked.wakeup();
            }
        }
    }

    @Override
    public String toString() {
        return "listener over "
                + (rdma == null ? tcp == null ? "nothing yet" : "TCP" : tcp == null ? "RDMA" : "RDMA and TCP")
                + ": " + (rdma == null ? tcp : rdma);
    }
}
