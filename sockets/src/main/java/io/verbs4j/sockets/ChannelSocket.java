// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Adapts a channel to a socket. Its methods throw the exceptions of sockets.
final class ChannelSocket extends Socket {
    private final MixedChannel channel;
    private final ChannelStreams streams;
    private volatile int timeout;

    private ChannelSocket(MixedChannel channel) throws SocketException {
        super(new NoSocketImpl());
        this.channel = channel;
        this.streams = new ChannelStreams(channel, this::timeout);
    }

    static ChannelSocket of(MixedChannel channel) {
        try {
            return new ChannelSocket(channel);
        } catch (SocketException e) {
            throw new AssertionError("the constructor only stores its argument", e);
        }
    }

    /// Makes the streams throw the exceptions of a socket without a channel, not those of the JDK's adaptors. Returns
    /// this.
    Socket withoutChannel() {
        streams.ofSocketWithoutChannel();
        return this;
    }

    private int timeout() {
        return timeout;
    }

    @Override
    public void connect(SocketAddress remote) throws IOException {
        connect(remote, 0);
    }

    @Override
    public void connect(SocketAddress remote, int millis) throws IOException {
        if (remote == null) {
            throw new IllegalArgumentException("connect: The address can't be null");
        }
        if (millis < 0) {
            throw new IllegalArgumentException("connect: timeout can't be negative");
        }
        channel.requireOpenSocket();
        if (!channel.isBlocking()) {
            throw new IllegalBlockingModeException();
        }
        if (channel.isConnected()) {
            throw new SocketException("Already connected");
        }
        try {
            channel.connect(remote, millis);
        } catch (UnresolvedAddressException e) {
            channel.close();
            throw new UnknownHostException(((InetSocketAddress) remote).getHostName());
        } catch (ClosedChannelException e) {
            throw SocketFailures.with(new SocketException("Socket is closed"), e);
        }
    }

    @Override
    public void bind(@Nullable SocketAddress local) throws IOException {
        try {
            channel.bind(local);
        } catch (AlreadyBoundException e) {
            throw SocketFailures.binding(e, "Already bound");
        } catch (UnsupportedAddressTypeException e) {
            throw SocketFailures.binding(e, "Unsupported address type");
        } catch (UnresolvedAddressException e) {
            throw SocketFailures.binding(e, "Unresolved address");
        }
    }

    @Override
    public @Nullable InetAddress getInetAddress() {
        InetSocketAddress remote = getRemoteSocketAddress();
        return remote == null ? null : remote.getAddress();
    }

    @Override
    public InetAddress getLocalAddress() {
        InetSocketAddress local = channel.localAddress();
        return local == null || isClosed() ? new InetSocketAddress(0).getAddress() : local.getAddress();
    }

    @Override
    public int getPort() {
        InetSocketAddress remote = getRemoteSocketAddress();
        return remote == null ? 0 : remote.getPort();
    }

    @Override
    public int getLocalPort() {
        InetSocketAddress local = channel.localAddress();
        return local == null ? -1 : local.getPort();
    }

    @Override
    public @Nullable InetSocketAddress getRemoteSocketAddress() {
        return channel.remoteAddress();
    }

    @Override
    public @Nullable InetSocketAddress getLocalSocketAddress() {
        return channel.localAddress();
    }

    @Override
    public SocketChannel getChannel() {
        return channel;
    }

    private void requireConnected() throws SocketException {
        channel.requireOpenSocket();
        if (!channel.isConnected()) {
            throw new SocketException("Socket is not connected");
        }
    }

    @Override
    public InputStream getInputStream() throws IOException {
        requireConnected();
        if (isInputShutdown()) {
            throw new SocketException("Socket input is shutdown");
        }
        return streams.input();
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
        requireConnected();
        if (isOutputShutdown()) {
            throw new SocketException("Socket output is shutdown");
        }
        return streams.output();
    }

    private <T> void set(SocketOption<T> option, T value) throws SocketException {
        SocketFailures.asSocket(() -> channel.setOption(option, value));
    }

    private <T> T get(SocketOption<T> option) throws SocketException {
        return SocketFailures.asSocket(() -> channel.getOption(option));
    }

    @Override
    public void setTcpNoDelay(boolean on) throws SocketException {
        set(StandardSocketOptions.TCP_NODELAY, on);
    }

    @Override
    public boolean getTcpNoDelay() throws SocketException {
        return get(StandardSocketOptions.TCP_NODELAY);
    }

    @Override
    public void setSoLinger(boolean on, int seconds) throws SocketException {
        if (on && seconds < 0) {
            throw new IllegalArgumentException("invalid value for SO_LINGER");
        }
        set(StandardSocketOptions.SO_LINGER, on ? seconds : -1);
    }

    @Override
    public int getSoLinger() throws SocketException {
        return get(StandardSocketOptions.SO_LINGER);
    }

    @Override
    public void sendUrgentData(int data) throws IOException {
        throw new SocketException("Urgent data not supported");
    }

    @Override
    public void setOOBInline(boolean on) {
        // There is no urgent data.
    }

    @Override
    public boolean getOOBInline() throws SocketException {
        channel.requireOpenSocket();
        return false;
    }

    @Override
    public void setSoTimeout(int millis) throws SocketException {
        channel.requireOpenSocket();
        if (millis < 0) {
            throw new IllegalArgumentException("timeout can't be negative");
        }
        timeout = millis;
    }

    @Override
    public int getSoTimeout() throws SocketException {
        channel.requireOpenSocket();
        return timeout;
    }

    @Override
    public void setSendBufferSize(int bytes) throws SocketException {
        set(StandardSocketOptions.SO_SNDBUF, SocketSettings.requirePositive(bytes));
    }

    @Override
    public int getSendBufferSize() throws SocketException {
        return get(StandardSocketOptions.SO_SNDBUF);
    }

    @Override
    public void setReceiveBufferSize(int bytes) throws SocketException {
        set(StandardSocketOptions.SO_RCVBUF, SocketSettings.requirePositive(bytes));
    }

    @Override
    public int getReceiveBufferSize() throws SocketException {
        return get(StandardSocketOptions.SO_RCVBUF);
    }

    @Override
    public void setKeepAlive(boolean on) throws SocketException {
        set(StandardSocketOptions.SO_KEEPALIVE, on);
    }

    @Override
    public boolean getKeepAlive() throws SocketException {
        return get(StandardSocketOptions.SO_KEEPALIVE);
    }

    @Override
    public void setTrafficClass(int value) {
        // A hint; ignored.
    }

    @Override
    public int getTrafficClass() {
        return 0;
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
    public void close() throws IOException {
        channel.close();
    }

    @Override
    public void shutdownInput() throws IOException {
        requireConnected();
        SocketFailures.asSocket(channel::shutdownInput);
    }

    @Override
    public void shutdownOutput() throws IOException {
        requireConnected();
        SocketFailures.asSocket(channel::shutdownOutput);
    }

    @Override
    public boolean isConnected() {
        return channel.hasConnected();
    }

    @Override
    public boolean isBound() {
        return channel.localAddress() != null;
    }

    @Override
    public boolean isClosed() {
        return !channel.isOpen();
    }

    @Override
    public boolean isInputShutdown() {
        SocketSide side = channel.side();
        return side != null && side.isInputShutdown();
    }

    @Override
    public boolean isOutputShutdown() {
        SocketSide side = channel.side();
        return side != null && side.isOutputShutdown();
    }

    @Override
    public void setPerformancePreferences(int connectionTime, int latency, int bandwidth) {
        // A hint; ignored.
    }

    @Override
    public <T> Socket setOption(SocketOption<T> option, T value) throws IOException {
        channel.setOption(Objects.requireNonNull(option), value);
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
        return "Socket[" + channel + "]";
    }
}
