// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.valkey;

import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.io.FileDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOptions;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Implements [java.net.Socket] over a connection. Options of TCP are stored and have no effect.
final class ValkeySocketImpl extends SocketImpl {
    private static final Map<Integer, Object> DEFAULTS = Map.of(
            SocketOptions.TCP_NODELAY, true,
            SocketOptions.SO_KEEPALIVE, true,
            SocketOptions.SO_REUSEADDR, false,
            SocketOptions.SO_REUSEPORT, false,
            SocketOptions.SO_OOBINLINE, false,
            SocketOptions.SO_LINGER, -1,
            SocketOptions.IP_TOS, 0);

    private final ValkeyOptions options;
    private final Map<Integer, Object> settings = new ConcurrentHashMap<>(DEFAULTS);
    private volatile int readMillis;
    private volatile @Nullable ValkeyConnection connection;
    private volatile boolean inputShut;
    private volatile boolean outputShut;
    private volatile boolean closed;
    private volatile boolean discarded;

    ValkeySocketImpl(ValkeyOptions options) {
        this.options = options;
        settings.put(SocketOptions.SO_SNDBUF, options.sendBytes());
        settings.put(SocketOptions.SO_RCVBUF, options.receiveBytes());
    }

    @Override
    protected void create(boolean stream) throws IOException {
        if (!stream) {
            throw new SocketException("datagram sockets are not supported");
        }
    }

    @Override
    protected void connect(String host, int port) throws IOException {
        connect(new InetSocketAddress(host, port), 0);
    }

    @Override
    protected void connect(InetAddress host, int port) throws IOException {
        connect(new InetSocketAddress(host, port), 0);
    }

    @Override
    protected void connect(SocketAddress to, int timeoutMillis) throws IOException {
        if (!(to instanceof InetSocketAddress server)) {
            throw new IllegalArgumentException("not an IP address: " + to);
        }
        if (server.isUnresolved()) {
            throw new UnknownHostException(server.getHostString());
        }
        try {
            ValkeyConnection connected = ValkeyConnection.connect(
                    server,
                    timeoutMillis == 0 ? options : options.withConnectTimeout(Duration.ofMillis(timeoutMillis)));
            connection = connected;
            address = server.getAddress();
            port = server.getPort();
            localport = connected.localAddress().getPort();
            if (closed) {
                connected.close();
                throw new SocketException("Socket closed");
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        } catch (VerbsException e) {
            if (e.errno() == Errno.ETIMEDOUT) {
                throw because(new SocketTimeoutException(e.getMessage()), e);
            }
            throw because(new ConnectException(e.getMessage()), e);
        }
    }

    private static <E extends IOException> E because(E exception, Throwable cause) {
        exception.initCause(cause);
        return exception;
    }

    private static InterruptedIOException interrupted(InterruptedException cause) {
        Thread.currentThread().interrupt();
        return because(new InterruptedIOException("interrupted while waiting for the Valkey server"), cause);
    }

    private ValkeyConnection connected() throws SocketException {
        ValkeyConnection connected = connection;
        if (connected == null || closed) {
            throw new SocketException(closed ? "Socket closed" : "Socket is not connected");
        }
        return connected;
    }

    /// Translates an exception of a connection into one of [java.net].
    private IOException translated(RuntimeException e) {
        if (closed && e instanceof IllegalStateException) {
            return because(new SocketException("Socket closed"), e);
        }
        return e instanceof VerbsException failure && failure.errno() == Errno.ETIMEDOUT
                ? because(new SocketTimeoutException(e.getMessage()), e)
                : because(new SocketException(e.getMessage()), e);
    }

    private int read(byte[] target, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, target.length);
        ValkeyConnection connected = connected();
        if (inputShut) {
            return -1;
        }
        int millis = readMillis;
        try {
            ByteBuffer buffer = ByteBuffer.wrap(target, offset, length);
            return millis == 0 ? connected.read(buffer) : connected.read(buffer, Duration.ofMillis(millis));
        } catch (InterruptedException e) {
            throw interrupted(e);
        } catch (VerbsException | IllegalStateException e) {
            IOException failure = translated(e);
            throw failure instanceof SocketTimeoutException && !connected.hasFailed()
                    ? because(new SocketTimeoutException("Read timed out"), e) // clients compare this text
                    : failure;
        }
    }

    /// Writes all bytes. Discards the first write after the server has closed the connection, as TCP does. valkey-java
    /// expects the failure at the following read. When valkey-java closes the socket, it writes again the bytes that it
    /// could not write.
    private void write(byte[] source, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, source.length);
        ValkeyConnection connected = connected();
        if (outputShut) {
            throw new SocketException("Socket output is shutdown");
        }
        try {
            connected.write(ByteBuffer.wrap(source, offset, length));
        } catch (InterruptedException e) {
            throw interrupted(e);
        } catch (VerbsException | IllegalStateException e) {
            if (!discarded && connected.hasEnded()) {
                discarded = true;
                return;
            }
            throw translated(e);
        }
    }

    @Override
    protected void bind(InetAddress host, int localPort) throws IOException {
        throw new SocketException("a socket to Valkey over RDMA is bound when it connects");
    }

    @Override
    protected void listen(int backlog) throws IOException {
        throw new SocketException("a socket to Valkey over RDMA does not listen");
    }

    @Override
    protected void accept(SocketImpl accepted) throws IOException {
        throw new SocketException("a socket to Valkey over RDMA does not listen");
    }

    @Override
    protected InputStream getInputStream() {
        return new Input();
    }

    @Override
    protected OutputStream getOutputStream() {
        return new Output();
    }

    @Override
    protected int available() throws IOException {
        return inputShut ? 0 : connected().available();
    }

    @Override
    protected void shutdownInput() {
        inputShut = true;
    }

    @Override
    protected void shutdownOutput() {
        outputShut = true;
    }

    @Override
    protected void close() throws IOException {
        closed = true;
        ValkeyConnection connected = connection;
        if (connected != null) {
            try {
                connected.close();
            } catch (VerbsException e) {
                throw translated(e);
            }
        }
    }

    @Override
    protected void sendUrgentData(int data) throws IOException {
        throw new SocketException("there is no urgent data over RDMA");
    }

    @Override
    protected @Nullable FileDescriptor getFileDescriptor() {
        return null;
    }

    @Override
    public void setOption(int option, Object value) throws SocketException {
        if (option == SocketOptions.SO_TIMEOUT) {
            readMillis = (Integer) value;
        } else if (settings.replace(option, value) == null) {
            throw new SocketException("option " + option + " is not supported");
        }
    }

    @Override
    public Object getOption(int option) throws SocketException {
        if (option == SocketOptions.SO_TIMEOUT) {
            return readMillis;
        }
        if (option == SocketOptions.SO_BINDADDR) {
            ValkeyConnection connected = connection;
            return connected == null ? new InetSocketAddress(0).getAddress() : connected.localAddress().getAddress();
        }
        Object value = settings.get(option);
        if (value == null) {
            throw new SocketException("option " + option + " is not supported");
        }
        return value;
    }

    private final class Input extends InputStream {
        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            return ValkeySocketImpl.this.read(target, offset, length);
        }

        @Override
        public int available() throws IOException {
            return ValkeySocketImpl.this.available();
        }
    }

    private final class Output extends OutputStream {
        @Override
        public void write(int one) throws IOException {
            write(new byte[]{(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] source, int offset, int length) throws IOException {
            ValkeySocketImpl.this.write(source, offset, length);
        }
    }
}
