// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import io.verbs4j.sockets.SocketRules.Transport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import org.jspecify.annotations.Nullable;

/// The implementation of a decided channel: a connection over RDMA, or a channel of the JDK.
interface SocketSide {
    /// Reads as [java.nio.channels.ReadableByteChannel#read] does.
    int read(ByteBuffer target) throws IOException;

    /// Writes as [java.nio.channels.WritableByteChannel#write] does.
    int write(ByteBuffer source) throws IOException;

    /// Reads as [java.nio.channels.ScatteringByteChannel#read(ByteBuffer\[\], int, int)] does.
    long read(ByteBuffer[] targets, int offset, int length) throws IOException;

    /// Writes as [java.nio.channels.GatheringByteChannel#write(ByteBuffer\[\], int, int)] does.
    long write(ByteBuffer[] sources, int offset, int length) throws IOException;

    /// Reads in blocking mode, with a timeout.
    ///
    /// @param millis 0 for no limit
    /// @throws java.net.SocketTimeoutException after the timeout
    int read(byte[] target, int offset, int length, int millis) throws IOException;

    /// Writes all bytes in blocking mode.
    void write(byte[] source, int offset, int length) throws IOException;

    /// Returns the number of bytes that can be read at once.
    int available() throws IOException;

    void shutdownInput() throws IOException;

    void shutdownOutput() throws IOException;

    boolean isInputShutdown();

    boolean isOutputShutdown();

    /// Returns [Transport#RDMA] or [Transport#TCP].
    Transport transport();

    /// Returns the local address, also after closing; null if there is none.
    @Nullable
    InetSocketAddress localAddress();

    /// Returns the peer's address, also after closing; null if there is none.
    @Nullable
    InetSocketAddress peerAddress();

    <T> void setOption(SocketOption<T> option, T value) throws IOException;

    /// Returns the value of an option; null if the channel's [SocketSettings] contain the value.
    <T> @Nullable T getOption(SocketOption<T> option) throws IOException;

    void configureBlocking(boolean block) throws IOException;

    /// Returns the operations that this side is ready for, except operations that a channel of the JDK reports.
    int readyOps();

    /// Returns the JDK's channel; null if there is none.
    @Nullable
    SelectableChannel inner();

    /// Closes this side.
    ///
    /// @param linger the value of `SO_LINGER`
    /// @param blocking whether the channel is in blocking mode
    void close(int linger, boolean blocking) throws IOException;
}
