// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import io.verbs4j.sockets.SocketRules.Transport;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/// A channel of the JDK inside a [MixedChannel].
final class TcpSide implements SocketSide {
    private final MixedChannel owner;
    private final SocketChannel channel;

    TcpSide(MixedChannel owner, SocketChannel channel) {
        this.owner = owner;
        this.channel = channel;
    }

    SocketChannel channel() {
        return channel;
    }

    /// A call of the JDK's channel.
    private interface Call {
        long run() throws IOException;
    }

    /// Runs a call. If an interrupt closes the inner channel, closes the outer channel, too.
    private long call(Call step) throws IOException {
        try {
            return step.run();
        } catch (ClosedChannelException e) {
            if (!channel.isOpen()) {
                owner.close();
            }
            throw e;
        }
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        return (int) call(() -> channel.read(target));
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        return (int) call(() -> channel.write(source));
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        return call(() -> channel.read(targets, offset, length));
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        return call(() -> channel.write(sources, offset, length));
    }

    @Override
    public int read(byte[] target, int offset, int length, int millis) throws IOException {
        channel.socket().setSoTimeout(millis);
        return (int) call(() -> input().read(target, offset, length));
    }

    /// Returns the input of the JDK's socket. After `shutdownInput`, `getInputStream` of the JDK's socket throws, but
    /// an earlier input stream returns -1. Therefore this method then returns an empty stream.
    private InputStream input() throws IOException {
        try {
            return channel.socket().getInputStream();
        } catch (SocketException e) {
            if (channel.isOpen() && isInputShutdown()) {
                return InputStream.nullInputStream();
            }
            throw e;
        }
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        call(() -> {
            output().write(source, offset, length);
            return length;
        });
    }

    /// Returns the output of the JDK's socket, which writes all bytes. A write of the channel may write only a part,
    /// even in blocking mode: once a virtual thread has used a channel, its file descriptor stays non-blocking.
    private OutputStream output() throws IOException {
        try {
            return channel.socket().getOutputStream();
        } catch (SocketException e) { // shut down or closed since the program got its stream
            throw SocketFailures.with(new ClosedChannelException(), e);
        }
    }

    @Override
    public int available() throws IOException {
        return input().available();
    }

    @Override
    public void shutdownInput() throws IOException {
        channel.shutdownInput();
    }

    @Override
    public void shutdownOutput() throws IOException {
        channel.shutdownOutput();
    }

    @Override
    public boolean isInputShutdown() {
        return channel.socket().isInputShutdown();
    }

    @Override
    public boolean isOutputShutdown() {
        return channel.socket().isOutputShutdown();
    }

    @Override
    public Transport transport() {
        return Transport.TCP;
    }

    @Override
    public @Nullable InetSocketAddress localAddress() {
        return (InetSocketAddress) channel.socket().getLocalSocketAddress();
    }

    @Override
    public @Nullable InetSocketAddress peerAddress() {
        return (InetSocketAddress) channel.socket().getRemoteSocketAddress();
    }

    @Override
    public <T> void setOption(SocketOption<T> option, T value) throws IOException {
        channel.setOption(option, value);
    }

    @Override
    public <T> @Nullable T getOption(SocketOption<T> option) throws IOException {
        return channel.getOption(option);
    }

    @Override
    public void configureBlocking(boolean block) throws IOException {
        channel.configureBlocking(block);
    }

    @Override
    public int readyOps() {
        return 0;
    }

    @Override
    public SelectableChannel inner() {
        return channel;
    }

    @Override
    public void close(int linger, boolean blocking) throws IOException {
        channel.close();
    }

    @Override
    public String toString() {
        return channel + " over TCP";
    }
}
