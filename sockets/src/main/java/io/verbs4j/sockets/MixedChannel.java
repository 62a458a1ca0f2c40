// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import io.verbs4j.cm.CompletionWatch;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A socket channel that uses RDMA or TCP. The transport is undecided until the channel connects. Over TCP, the channel
/// contains a channel of the JDK, the inner channel.
///
/// An interrupt closes the channel in the interrupting thread. Therefore no thread that may be interrupted holds a lock
/// that closing needs.
final class MixedChannel extends SocketChannel implements MixedSelectable {
    /// Maximum time to wait until the interrupting thread has closed the channel, even on a busy machine.
    private static final long INTERRUPT_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(10);

    private final SocketSettings settings;
    private final ChannelKeys keys = new ChannelKeys();
    private final SocketDecision decision;
    private final ChannelSocket adaptor = ChannelSocket.of(this);

    /// @param family null for both
    MixedChannel(RdmaSelectorProvider provider, @Nullable ProtocolFamily family) {
        super(provider);
        SocketContext context = provider.context();
        this.settings = SocketSettings.ofSocket(context.options().receiveBytes());
        this.decision = new SocketDecision(this, context, family, settings, keys);
    }

    /// Adopts a connection that a listener has accepted.
    static MixedChannel accepted(RdmaSelectorProvider provider, Attempt.Connected connection) throws IOException {
        var channel = new MixedChannel(provider, null);
        channel.decision.decide(connection);
        return channel;
    }

    void requireOpen() throws ClosedChannelException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
    }

    private SocketSide connected() throws ClosedChannelException {
        requireOpen();
        SocketSide decided = decision.side();
        if (!decision.isConnected() || decided == null) {
            throw new NotYetConnectedException();
        }
        return decided;
    }

    @Override
    public SocketChannel bind(@Nullable SocketAddress local) throws IOException {
        decision.bind(local);
        return this;
    }

    @Override
    public boolean connect(SocketAddress remote) throws IOException {
        return decision.connect(remote);
    }

    /// Connects in blocking mode, with a timeout.
    ///
    /// @param millis 0 for no limit
    void connect(SocketAddress remote, int millis) throws IOException {
        decision.connect(remote, millis);
    }

    @Override
    public boolean finishConnect() throws IOException {
        return decision.finishConnect();
    }

    @Override
    public boolean isConnected() {
        return isOpen() && decision.isConnected();
    }

    /// Returns whether the channel has ever been connected. Unlike a closed channel, a closed socket still reports that
    /// it is connected.
    boolean hasConnected() {
        return decision.isConnected();
    }

    @Override
    public boolean isConnectionPending() {
        return isOpen() && decision.isConnectionPending();
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        requireWritable(target);
        return connected().read(target);
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, targets.length);
        for (int i = offset; i < offset + length; i++) {
            requireWritable(targets[i]);
        }
        return connected().read(targets, offset, length);
    }

    private static void requireWritable(ByteBuffer target) {
        if (target.isReadOnly()) {
            throw new IllegalArgumentException("Read-only buffer");
        }
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        return connected().write(Objects.requireNonNull(source));
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, sources.length);
        for (int i = offset; i < offset + length; i++) {
            Objects.requireNonNull(sources[i]); // before a blocking section begins
        }
        return connected().write(sources, offset, length);
    }

    /// Begins an operation that an interrupt or a close may end.
    void beginBlocking() {
        begin();
    }

    /// Closes the channel after an interrupt has ended a wait. Call this between [#beginBlocking()] and
    /// [#endBlocking(boolean)]. The interrupting thread wakes this thread before it closes the channel of this thread's
    /// blocking section. This method therefore waits for that close. Otherwise, the interrupting thread could close the
    /// channel that this thread uses in its next blocking section.
    void interrupted() {
        long deadline = System.nanoTime() + INTERRUPT_NANOS;
        while (isOpen() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        Thread.currentThread().interrupt();
        begin(); // closes the channel if it is still open
    }

    void endBlocking(boolean completed) throws AsynchronousCloseException {
        end(completed);
    }

    @Override
    public SocketChannel shutdownInput() throws IOException {
        connected().shutdownInput();
        keys.signal();
        return this;
    }

    @Override
    public SocketChannel shutdownOutput() throws IOException {
        connected().shutdownOutput();
        keys.signal();
        return this;
    }

    /// Returns the RDMA or TCP side of the channel; null before the transport is decided.
    @Nullable
    SocketSide side() {
        return decision.side();
    }

    /// Returns the local address, also after closing; null before the channel is bound.
    @Nullable
    InetSocketAddress localAddress() {
        return decision.localAddress();
    }

    /// Returns the peer's address, also after closing; null without a peer.
    @Nullable
    InetSocketAddress remoteAddress() {
        return decision.remoteAddress();
    }

    @Override
    public @Nullable SocketAddress getLocalAddress() throws IOException {
        requireOpen();
        return decision.localAddress();
    }

    @Override
    public @Nullable SocketAddress getRemoteAddress() throws IOException {
        requireOpen();
        return decision.remoteAddress();
    }

    @Override
    public <T> SocketChannel setOption(SocketOption<T> option, T value) throws IOException {
        settings.set(option, value);
        requireOpen();
        decision.setOption(option, value);
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> option) throws IOException {
        T value = settings.get(option);
        requireOpen();
        SocketSide decided = decision.side();
        T actual = decided == null ? null : decided.getOption(option);
        return actual == null ? value : actual;
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return settings.supported();
    }

    @Override
    public ChannelSocket socket() {
        return adaptor;
    }

    @Override
    public int readyOps() {
        return decision.readyOps();
    }

    @Override
    public @Nullable SelectableChannel inner() {
        SocketSide decided = decision.side();
        return decided == null ? null : decided.inner();
    }

    @Override
    public void attach(MixedKey key) {
        keys.attach(key);
        decision.watch(null);
    }

    @Override
    public void detach(MixedKey key) {
        keys.detach(key);
        decision.watch(null);
    }

    @Override
    public boolean isWatchable() {
        return decision.side() instanceof RdmaSide rdma && rdma.isWatchable();
    }

    @Override
    public void watch(@Nullable CompletionWatch watch) {
        decision.watch(watch);
    }

    @Override
    protected void implConfigureBlocking(boolean block) throws IOException {
        decision.configureBlocking(block);
    }

    @Override
    protected void implCloseSelectableChannel() throws IOException {
        decision.close(settings.get(StandardSocketOptions.SO_LINGER), isBlocking());
    }

    /// Requires an open channel. Throws the exception of a socket instead of that of a channel.
    void requireOpenSocket() throws SocketException {
        if (!isOpen()) {
            throw new SocketException("Socket is closed");
        }
    }

    @Override
    public String toString() {
        SocketSide decided = decision.side();
        return decided == null ? "socket, undecided" : decided.toString();
    }
}
