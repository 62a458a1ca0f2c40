// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOption;
import java.net.SocketOptions;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Implements the sockets that a program creates with the constructors of `java.net`, over channels of this package.
///
/// In one respect, this class differs from the JDK's implementation. If a platform thread is interrupted while blocked
/// in the socket, the socket is closed, just as an interrupt closes a channel.
final class MixedSocketImpl extends SocketImpl {
    private final RdmaSelectorProvider provider;
    private final @Nullable MixedServerChannel server;
    private volatile MixedChannel channel;

    MixedSocketImpl(RdmaSelectorProvider provider, boolean listens) {
        this.provider = provider;
        this.server = listens ? new MixedServerChannel(provider, null) : null;
        this.channel = new MixedChannel(provider, null);
    }

    /// Makes this class the implementation of all sockets that the process creates from now on.
    ///
    /// @throws IOException if the process already has such factories
    @SuppressWarnings("deprecation") // there is no other hook for sockets created by their constructors
    static void install() throws IOException {
        var provider = new RdmaSelectorProvider();
        Socket.setSocketImplFactory(() -> new MixedSocketImpl(provider, false));
        ServerSocket.setSocketFactory(() -> new MixedSocketImpl(provider, true));
    }

    private Socket socket() {
        return channel.socket().withoutChannel();
    }

    private MixedServerChannel server() {
        return Objects.requireNonNull(server);
    }

    @Override
    protected void create(boolean stream) throws SocketException {
        if (!stream) {
            throw new SocketException("datagram sockets are not supported");
        }
    }

    @Override
    protected void connect(String host, int port) throws IOException {
        connect(new InetSocketAddress(host, port), 0);
    }

    @Override
    protected void connect(InetAddress address, int port) throws IOException {
        connect(new InetSocketAddress(address, port), 0);
    }

    @Override
    protected void connect(SocketAddress address, int timeout) throws IOException {
        if (!(address instanceof InetSocketAddress remote)) {
            throw new IllegalArgumentException("address=" + address + " is no IP address");
        }
        if (remote.isUnresolved()) {
            close();
            throw new UnknownHostException(remote.getHostName());
        }
        socket().connect(remote, timeout);
        this.address = socket().getInetAddress();
        this.port = remote.getPort();
        this.localport = socket().getLocalPort();
    }

    @Override
    protected void bind(InetAddress host, int port) throws IOException {
        this.address = host;
        this.localport = port;
        if (server == null) {
            try {
                socket().bind(new InetSocketAddress(host, port));
            } catch (IllegalArgumentException e) {
                throw SocketFailures.with(new SocketException(e.getMessage()), e);
            }
            localport = socket().getLocalPort();
        }
    }

    /// Binds and listens. The JDK calls this method immediately after [#bind(InetAddress, int)].
    @Override
    protected void listen(int backlog) throws IOException {
        try {
            server().socket().bind(new InetSocketAddress(address, localport), backlog);
        } catch (IllegalArgumentException e) {
            throw SocketFailures.with(new SocketException(e.getMessage()), e);
        }
        localport = server().socket().getLocalPort();
    }

    @Override
    protected void accept(SocketImpl peer) throws IOException {
        SocketChannel accepted;
        try {
            accepted = server().acceptWaiting(server().socket().getSoTimeout());
        } catch (ClosedChannelException e) {
            throw SocketFailures.with(new SocketException("Socket closed"), e);
        }
        if (accepted == null) {
            throw server().isOpen() ? new SocketTimeoutException("Accept timed out")
                    : new SocketException("Socket closed");
        }
        ((MixedSocketImpl) peer).adopt((MixedChannel) accepted);
    }

    private void adopt(MixedChannel accepted) throws IOException {
        channel.close();
        channel = accepted;
        address = socket().getInetAddress();
        port = socket().getPort();
        localport = socket().getLocalPort();
    }

    @Override
    protected InputStream getInputStream() throws IOException {
        return socket().getInputStream();
    }

    @Override
    protected OutputStream getOutputStream() throws IOException {
        return socket().getOutputStream();
    }

    @Override
    protected int available() throws IOException {
        return socket().isInputShutdown() ? 0 : socket().getInputStream().available();
    }

    @Override
    protected void close() throws IOException {
        if (server != null) {
            server.close();
        }
        channel.close();
    }

    @Override
    protected void shutdownInput() throws IOException {
        socket().shutdownInput();
    }

    @Override
    protected void shutdownOutput() throws IOException {
        socket().shutdownOutput();
    }

    @Override
    protected boolean supportsUrgentData() {
        return false;
    }

    @Override
    protected void sendUrgentData(int data) throws IOException {
        throw new SocketException("Urgent data not supported");
    }

    @Override
    protected Set<SocketOption<?>> supportedOptions() {
        return server == null ? channel.supportedOptions() : server.supportedOptions();
    }

    @Override
    protected <T> void setOption(SocketOption<T> option, T value) throws IOException {
        if (server == null) {
            channel.setOption(option, value);
        } else {
            server.setOption(option, value);
        }
    }

    @Override
    protected <T> T getOption(SocketOption<T> option) throws IOException {
        return server == null ? channel.getOption(option) : server.getOption(option);
    }

    @Override
    public void setOption(int option, Object value) throws SocketException {
        if (server == null) {
            setOfSocket(socket(), option, value);
        } else {
            setOfServer(server.socket(), option, value);
        }
    }

    private static void setOfServer(ServerSocket socket, int option, Object value) throws SocketException {
        switch (option) {
            case SocketOptions.SO_TIMEOUT -> socket.setSoTimeout((Integer) value);
            case SocketOptions.SO_REUSEADDR -> socket.setReuseAddress((Boolean) value);
            case SocketOptions.SO_RCVBUF -> socket.setReceiveBufferSize((Integer) value);
            default -> {
                // A hint for accepted sockets.
            }
        }
    }

    private static void setOfSocket(Socket socket, int option, Object value) throws SocketException {
        switch (option) {
            case SocketOptions.SO_TIMEOUT -> socket.setSoTimeout((Integer) value);
            case SocketOptions.SO_REUSEADDR -> socket.setReuseAddress((Boolean) value);
            case SocketOptions.SO_RCVBUF -> socket.setReceiveBufferSize((Integer) value);
            case SocketOptions.SO_SNDBUF -> socket.setSendBufferSize((Integer) value);
            case SocketOptions.TCP_NODELAY -> socket.setTcpNoDelay((Boolean) value);
            case SocketOptions.SO_KEEPALIVE -> socket.setKeepAlive((Boolean) value);
            case SocketOptions.SO_LINGER ->
                socket.setSoLinger(value instanceof Integer, value instanceof Integer seconds ? seconds : 0);
            default -> {
                // A hint; ignored.
            }
        }
    }

    @Override
    public Object getOption(int option) throws SocketException {
        try {
            if (server != null) {
                return switch (option) {
                    case SocketOptions.SO_TIMEOUT -> server.socket().getSoTimeout();
                    case SocketOptions.SO_REUSEADDR -> server.socket().getReuseAddress();
                    case SocketOptions.SO_RCVBUF -> server.socket().getReceiveBufferSize();
                    case SocketOptions.SO_BINDADDR -> address;
                    default -> throw new SocketException("option " + option + " is not supported");
                };
            }
            channel.requireOpenSocket();
            Socket socket = socket();
            return switch (option) {
                case SocketOptions.SO_TIMEOUT -> socket.getSoTimeout();
                case SocketOptions.SO_REUSEADDR -> socket.getReuseAddress();
                case SocketOptions.SO_RCVBUF -> socket.getReceiveBufferSize();
                case SocketOptions.SO_SNDBUF -> socket.getSendBufferSize();
                case SocketOptions.TCP_NODELAY -> socket.getTcpNoDelay();
                case SocketOptions.SO_KEEPALIVE -> socket.getKeepAlive();
                case SocketOptions.SO_LINGER -> channel.getOption(StandardSocketOptions.SO_LINGER);
                case SocketOptions.SO_BINDADDR -> socket.getLocalAddress();
                case SocketOptions.SO_OOBINLINE -> false;
                case SocketOptions.IP_TOS -> 0;
                default -> throw new SocketException("option " + option + " is not supported");
            };
        } catch (SocketException e) {
            throw e;
        } catch (IOException e) {
            throw SocketFailures.with(new SocketException(e.getMessage()), e);
        }
    }

    @Override
    public String toString() {
        return "MixedSocketImpl[" + (server == null ? channel : server) + ", provider=" + provider + "]";
    }
}
