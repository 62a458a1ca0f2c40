// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import java.util.Objects;
import java.util.function.IntSupplier;

/// The input and output stream of a socket over a channel. One thread may read while another writes.
final class ChannelStreams {
    private final MixedChannel channel;
    private final IntSupplier timeout;
    private final InputStream input = new Input();
    private final OutputStream output = new Output();
    private volatile boolean ofSocketWithoutChannel;

    /// @param timeout timeout of a read in milliseconds; 0 for no limit
    ChannelStreams(MixedChannel channel, IntSupplier timeout) {
        this.channel = channel;
        this.timeout = timeout;
    }

    InputStream input() {
        return input;
    }

    OutputStream output() {
        return output;
    }

    /// Makes calls throw the exceptions of a socket without a channel.
    void ofSocketWithoutChannel() {
        ofSocketWithoutChannel = true;
    }

    private IOException closed(ClosedChannelException e) {
        return ofSocketWithoutChannel ? SocketFailures.with(new SocketException("Socket closed"), e) : e;
    }

    private SocketSide side() throws IOException {
        SocketSide side = channel.side();
        if (side == null || !channel.isOpen()) {
            throw closed(new ClosedChannelException());
        }
        return side;
    }

    private SocketSide blockingSide() throws IOException {
        SocketSide side = side();
        if (!channel.isBlocking()) {
            throw new IllegalBlockingModeException();
        }
        return side;
    }

    private final class Input extends InputStream {
        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            Objects.checkFromIndexSize(offset, length, target.length);
            if (length == 0) {
                return 0;
            }
            try {
                return blockingSide().read(target, offset, length, timeout.getAsInt());
            } catch (ClosedChannelException e) {
                throw closed(e);
            }
        }

        @Override
        public int available() throws IOException {
            return side().available();
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    private final class Output extends OutputStream {
        @Override
        public void write(int value) throws IOException {
            write(new byte[]{(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] source, int offset, int length) throws IOException {
            Objects.checkFromIndexSize(offset, length, source.length);
            try {
                blockingSide().write(source, offset, length);
            } catch (ClosedChannelException e) {
                throw closed(e);
            }
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
