// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Adapts a listening channel to a server socket.
final class ChannelServerSocket extends ServerSocket {
    private final MixedServerChannel channel;
    private volatile int timeout;
    private volatile boolean withoutChannel;

    ChannelServerSocket(MixedServerChannel channel) {
        super(new NoSocketImpl());
        this.channel = channel;
    }

    /// Makes [#accept()] throw the exceptions of a socket without a channel, not those of the JDK's adaptors. Returns
    /// this.
    ServerSocket withoutChannel() {
        withoutChannel = true;
        return this;
    }

    private void requireOpen() throws SocketException {
        if (!channel.isOpen()) {
            throw new SocketException("Socket is closed");
        }
    }

    @Override
    public void bind(@Nullable SocketAddress local) throws IOException {
        bind(local, 0);
    }

    @Override
    public void bind(@Nullable SocketAddress local, int backlog) throws IOException {
        requireOpen();
        if (isBound()) {
            throw new SocketException("Already bound");
        }
        if (local instanceof InetSocketAddress inet && inet.isUnresolved()) {
            throw new SocketException("Unresolved address");
        }
        channel.bind(local, backlog);
    }

    @Override
    public @Nullable InetAddress getInetAddress() {
        InetSocketAddress local = getLocalSocketAddress();
        return local == null ? null : local.getAddress();
    }

    @Override
    public int getLocalPort() {
        InetSocketAddress local = getLocalSocketAddress();
        return local == null ? -1 : local.getPort();
    }

    @Override
    public @Nullable InetSocketAddress getLocalSocketAddress() {
        return channel.boundAddress();
    }

    @Override
    public Socket accept() throws IOException {
        requireOpen();
        if (!isBound()) {
            throw new SocketException("Socket is not bound yet");
        }
        try {
            var peer = (MixedChannel) (channel.isBlocking() ? channel.acceptWaiting(timeout) : acceptWithoutBlocking());
            if (peer == null) {
                throw new SocketTimeoutException("Accept timed out");
            }
            return withoutChannel ? peer.socket().withoutChannel() : peer.socket();
        } catch (ClosedChannelException e) {
            if (!withoutChannel) {
                throw e;
            }
            throw SocketFailures.with(new SocketException("Socket closed"), e);
        }
    }

    /// Accepts a waiting peer from a non-blocking channel, as the JDK's adaptor does. Fails if a timeout is set, or if
    /// no peer is waiting.
    private SocketChannel acceptWithoutBlocking() throws IOException {
        SocketChannel peer = timeout == 0 ? channel.accept() : null;
        if (peer == null) {
            throw new IllegalBlockingModeException();
        }
        return peer;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    @Override
    public ServerSocketChannel getChannel() {
        return channel;
    }

    @Override
    public boolean isBound() {
        return channel.isBound();
    }

    @Override
    public boolean isClosed() {
        return !channel.isOpen();
    }

    @Override
    public void setSoTimeout(int millis) throws SocketException {
        requireOpen();
        if (millis < 0) {
            throw new IllegalArgumentException("timeout < 0");
        }
        timeout = millis;
    }

    @Override
    public int getSoTimeout() throws IOException {
        requireOpen();
        return timeout;
    }

    @Override
    public void setReuseAddress(boolean on) throws SocketException {
        set(StandardSocketOptions.SO_REUSEADDR, on);
    }

    @Override
    public boolean getReuseAddress() throws SocketException {
        return get(StandardSocketOptions.SO_REUSEADDR);
    }

    @Override
    public void setReceiveBufferSize(int bytes) throws SocketException {
        set(StandardSocketOptions.SO_RCVBUF, SocketSettings.requirePositive(bytes));
    }

    @Override
    public int getReceiveBufferSize() throws SocketException {
        return get(StandardSocketOptions.SO_RCVBUF);
    }

    private <T> void set(SocketOption<T> option, T value) throws SocketException {
        requireOpen();
        SocketFailures.asSocket(() -> channel.setOption(option, value));
    }

    private <T> T get(SocketOption<T> option) throws SocketException {
        requireOpen();
        return SocketFailures.asSocket(() -> channel.getOption(option));
    }

    @Override
    public void setPerformancePreferences(int connectionTime, int latency, int bandwidth) {
        // A hint; ignored.
    }

    @Override
    public <T> ServerSocket setOption(SocketOption<T> option, T value) throws IOException {
        channel.setOption(option, value);
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> option) throws IOException {
        return channel.getOption(option);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return channel.supportedOptions();
    }

    @Override
    public String toString() {
        return "ServerSocket[" + channel + "]";
    }
}
