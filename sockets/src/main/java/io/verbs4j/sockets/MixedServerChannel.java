// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import io.verbs4j.cm.stream.RdmaStreamServer;
import io.verbs4j.cm.stream.StreamEndpoint;
import io.verbs4j.types.VerbsException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A listener that serves RDMA, TCP, or both on one port.
final class MixedServerChannel extends ServerSocketChannel implements MixedSelectable {
    private static final System.Logger LOGGER = System.getLogger("io.verbs4j.sockets");
    private static final int DEFAULT_BACKLOG = 50;
    /// Maximum time that closing waits for a thread that accepts.
    private static final long CLOSE_MILLIS = 1_000;

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
    private volatile @Nullable InetSocketAddress boundAddress;
    private volatile @Nullable VerbsException lost;
    /// The selector that a blocking accept waits in. Written while holding the lock `accepting`.
    private volatile @Nullable Selector waiting;
    /// The thread that waits in this selector.
    private volatile @Nullable Thread acceptor;

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
        return boundAddress != null;
    }

    /// Returns the address at which the channel listens, also after closing; null before the channel is bound.
    @Nullable
    InetSocketAddress boundAddress() {
        return boundAddress;
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
            var bound = new ListenerPair(rdmaProvider.context(), family, settings).listen(address, wanted);
            RdmaStreamServer server = bound.rdma();
            tcp = bound.tcp();
            rdma = server;
            boundAddress = bound.address();
            if (server != null) {
                server.acceptEach(wanted, connection -> accepted.add(connection, this::added), this::lost);
            }
        }
        LOGGER.log(Level.DEBUG, "{0}", this);
        keys.signal();
        return this;
    }

    /// Runs after a connection over RDMA was added to the queue.
    private void added() {
        if (!isOpen()) {
            accepted.abortAll();
        }
        signal();
    }

    /// Runs after the device of the listener's address was removed.
    private void lost(VerbsException failure) {
        synchronized (state) { // waits for a bind in progress
            lost = failure;
            LOGGER.log(
                    Level.WARNING,
                    tcp == null ? "{0} accepts no more: {1}" : "{0} accepts only over TCP from now on: {1}",
                    this,
                    failure.getMessage());
        }
        signal();
    }

    /// Wakes the selectors and the thread that waits in an accept, so that they check the listener.
    private void signal() {
        keys.signal();
        Selector blocked = waiting;
        if (blocked != null) {
            blocked.wakeup();
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
            if (channel == null && isBlocking()) {
                channel = acceptWithin(0);
                if (channel == null) {
                    throw new ClosedChannelException();
                }
            }
            return channel;
        } finally {
            unlock();
        }
    }

    private @Nullable SocketChannel acceptNow() throws IOException {
        StreamEndpoint endpoint = accepted.take();
        if (endpoint != null) {
            SocketCounters.RDMA_ACCEPTS.increment();
            return MixedChannel.accepted(rdmaProvider, new Attempt.Connected(endpoint, null));
        }
        ServerSocketChannel channel = tcp;
        if (channel == null) {
            requireDevice();
            return null;
        }
        SocketChannel peer = channel.accept();
        if (peer == null) {
            return null;
        }
        SocketCounters.TCP_ACCEPTS.increment();
        return MixedChannel.accepted(rdmaProvider, new Attempt.Connected(null, peer));
    }

    private void requireDevice() throws SocketException {
        VerbsException failure = lost;
        if (failure != null) {
            throw SocketFailures.with(new SocketException("the RDMA device of " + boundAddress
                    + " was removed; close the listener, and listen again when the device is back"), failure);
        }
    }

    /// Waits for a peer, over RDMA or TCP. The wait for other accepting threads counts against the timeout.
    ///
    /// @param millis 0 for no limit
    /// @return null after the timeout, or if the channel is closed
    @Nullable
    SocketChannel acceptWaiting(long millis) throws IOException {
        long left = TimedLock.lock(accepting, millis);
        if (left < 0) {
            return null;
        }
        try {
            SocketChannel channel = acceptNow();
            return channel == null ? acceptWithin(left) : channel;
        } finally {
            unlock();
        }
    }

    private void unlock() throws IOException {
        accepting.unlock();
        if (!isOpen()) {
            closeWaiting();
        }
    }

    private @Nullable SocketChannel acceptWithin(long millis) throws IOException {
        SocketChannel peer = null;
        try {
            acceptor = Thread.currentThread();
            begin();
            peer = awaitPeer(millis);
        } finally {
            acceptor = null;
            end(peer);
        }
        if (peer == null && Thread.currentThread().isInterrupted()) {
            close(); // the interrupt has ended the selection only
            throw new ClosedByInterruptException();
        }
        return peer;
    }

    private void end(@Nullable SocketChannel peer) throws IOException {
        try {
            end(peer != null || isOpen());
        } catch (AsynchronousCloseException e) {
            if (peer != null) {
                peer.close(); // an interrupt came after the peer
            }
            throw e;
        }
    }

    private @Nullable SocketChannel awaitPeer(long millis) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        try {
            Selector selector = waiting();
            SocketChannel peer = acceptNow();
            while (peer == null && isOpen() && !Thread.currentThread().isInterrupted()) {
                long left = millis == 0 ? 0 : TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime() + 999_999);
                if (millis != 0 && left <= 0) {
                    return null;
                }
                selector.select(left);
                selector.selectedKeys().clear();
                peer = acceptNow();
            }
            return peer;
        } catch (ClosedChannelException e) {
            if (isOpen()) {
                throw e;
            }
            return null;
        }
    }

    private Selector waiting() throws IOException {
        Selector selector = waiting;
        if (selector == null) {
            selector = JdkProvider.get().openSelector();
            waiting = selector;
            ServerSocketChannel channel = tcp;
            if (channel != null) {
                channel.register(selector, SelectionKey.OP_ACCEPT);
            }
        }
        return selector;
    }

    /// Closes the selector that accepts wait in, which frees the TCP port. First waits until no thread accepts, for at
    /// most a second. Does not wait for an interrupted thread, because that thread may wait for the caller. The
    /// interrupted thread then closes the selector.
    private void closeWaiting() throws IOException {
        Thread thread = acceptor;
        boolean waits = thread != null && !thread.isInterrupted();
        if (waits ? TimedLock.lock(accepting, CLOSE_MILLIS) >= 0 : accepting.tryLock()) {
            try {
                Selector selector = waiting;
                if (selector != null) {
                    selector.close();
                }
            } finally {
                accepting.unlock();
            }
        }
    }

    @Override
    public @Nullable SocketAddress getLocalAddress() throws IOException {
        requireOpen();
        return boundAddress;
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
        boolean fails = lost != null && tcp == null;
        return fails || !accepted.isEmpty() ? SelectionKey.OP_ACCEPT : 0;
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
    protected void implConfigureBlocking(boolean block) {
        // The inner channel never blocks.
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
            closeWaiting();
        }
    }

    @Override
    public String toString() {
        boolean overRdma = rdma != null && (lost == null || tcp == null);
        return "listener over "
                + (overRdma ? tcp == null ? "RDMA" : "RDMA and TCP" : tcp == null ? "nothing yet" : "TCP")
                + ": " + (overRdma ? rdma : tcp);
    }
}
