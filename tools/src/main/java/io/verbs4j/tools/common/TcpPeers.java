// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.common;

import io.verbs4j.abi.host.Host;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/// Sets up the TCP connection over which two programs exchange addresses before they use RDMA.
public final class TcpPeers {
    private static final int CONNECT_MILLISECONDS = 10_000;

    private static final long NANOS_PER_MILLISECOND = 1_000_000;

    private TcpPeers() {}

    /// Connects to a server, trying each of its addresses.
    ///
    /// @throws ToolException if no attempt succeeds
    public static Socket connect(String host, int port) throws IOException {
        IOException failure = new ConnectException("no address");
        for (InetAddress address : addresses(host)) {
            var attempt = new Socket();
            try {
                attempt.connect(new InetSocketAddress(address, port), CONNECT_MILLISECONDS);
                return attempt;
            } catch (IOException e) {
                failure = e;
                attempt.close();
            }
        }
        String message = "cannot connect to " + host + ":" + port + ": " + IoFailure.reason(failure);
        throw isOfNetwork(failure)
                ? new ToolException(message, Host.current()
                        .isolation()
                        .orElse("start the server there first, and check address, TCP port and firewall"))
                : new ToolException(message);
    }

    /// Returns whether the network or the peer has failed, not this process.
    private static boolean isOfNetwork(IOException failure) {
        return failure instanceof ConnectException
                || failure instanceof NoRouteToHostException
                || failure instanceof SocketTimeoutException;
    }

    private static InetAddress[] addresses(String host) {
        try {
            return InetAddress.getAllByName(host);
        } catch (UnknownHostException e) {
            throw new ToolException("unknown host: " + host, "check the name, or give an address");
        }
    }

    /// Waits for one client, like the C programs.
    ///
    /// @throws ToolException if the port is in use
    public static Socket accept(int port) throws IOException {
        try (var listener = new ServerSocket()) {
            listener.setReuseAddress(true);
            try {
                listener.bind(new InetSocketAddress(port), 1);
            } catch (IOException e) {
                String message = "cannot listen on TCP port " + port + ": " + IoFailure.reason(e);
                throw e instanceof BindException ? new ToolException(message, "choose another one with -p")
                        : new ToolException(message);
            }
            Listening.begins();
            return listener.accept();
        }
    }

    /// Reads a message from a peer. The timeout applies to the whole message, even if single bytes keep arriving.
    ///
    /// @param message receives the bytes
    /// @param timeout timeout in milliseconds; 0 for no limit
    /// @throws SocketTimeoutException if the message is incomplete after the timeout
    /// @throws EOFException if the peer closes the connection before
    public static void readFully(Socket peer, byte[] message, int timeout) throws IOException {
        readFully(peer, ByteBuffer.wrap(message), timeout);
    }

    /// Reads a message from a peer. After a timeout, another call reads the rest of the message.
    ///
    /// @param message receives the bytes; has an array
    /// @param timeout timeout in milliseconds; 0 for no limit
    /// @throws SocketTimeoutException if the message is incomplete after the timeout
    /// @throws EOFException if the peer closes the connection before
    public static void readFully(Socket peer, ByteBuffer message, int timeout) throws IOException {
        InputStream input = peer.getInputStream();
        long start = System.nanoTime();
        while (message.hasRemaining()) {
            long left = timeout;
            if (timeout > 0) {
                left -= (System.nanoTime() - start) / NANOS_PER_MILLISECOND;
                if (left <= 0) {
                    throw new SocketTimeoutException(incomplete(message));
                }
            }
            peer.setSoTimeout((int) left);
            int count =
                    input.read(message.array(), message.arrayOffset() + message.position(), message.remaining());
            if (count < 0) {
                throw new EOFException(incomplete(message));
            }
            message.position(message.position() + count);
        }
    }

    private static String incomplete(ByteBuffer message) {
        return "only " + message.position() + " of " + message.limit() + " bytes came";
    }
}
