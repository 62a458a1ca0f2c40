// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import io.verbs4j.tools.common.IoFailure;
import io.verbs4j.tools.common.TcpPeers;
import io.verbs4j.tools.common.ToolException;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Exchanges addresses between two ping-pong programs over TCP. Client: address →, ← address, → `done`. The server
/// answers only when it is ready to receive, so the client may send at once. A program with several queue pairs sends
/// all their addresses in place of one.
///
/// Call [#receive(PingPongAddress)] to get the peer's address, prepare the queue pair, and call
/// [#confirm(PingPongAddress)]. Each message is a single write, because the C programs read an address by a single
/// read.
abstract sealed class PingPongExchange implements AutoCloseable {
    /// The client's last message, with C's terminating zero byte.
    private static final byte[] DONE = "done\0".getBytes(StandardCharsets.US_ASCII);
    /// Timeout for an answer. Meanwhile the peer may resolve a link address and start a JVM.
    private static final int ANSWER_MILLISECONDS = 60_000;

    private @Nullable Socket socket;

    /// Returns the client's part if there is a host, otherwise the server's. Does not use the network yet.
    static PingPongExchange of(@Nullable String host, int port) {
        return host == null ? new Server(port) : new Client(host, port);
    }

    /// Receives the peer's address. Waits until there is a peer.
    ///
    /// @throws ToolException if there is no peer, its message is invalid, or it disconnects
    final PingPongAddress receive(PingPongAddress own) {
        return receive(List.of(own)).getFirst();
    }

    /// Receives as many addresses from the peer as this end has. Waits until there is a peer.
    ///
    /// @throws ToolException if there is no peer, its message is invalid, or it disconnects
    final List<PingPongAddress> receive(List<PingPongAddress> own) {
        try {
            socket = open();
            socket.setTcpNoDelay(true);
            return receive(socket, own);
        } catch (IOException e) {
            throw failure(e);
        }
    }

    /// Reports to the peer that this end is ready.
    ///
    /// @throws ToolException if the peer has disconnected meanwhile
    final void confirm(PingPongAddress own) {
        confirm(List.of(own));
    }

    /// Reports to the peer that this end is ready.
    ///
    /// @throws ToolException if the peer has disconnected meanwhile
    final void confirm(List<PingPongAddress> own) {
        try {
            if (socket == null) {
                throw new IllegalStateException("nothing was received yet");
            }
            confirm(socket, own);
        } catch (IOException e) {
            throw failure(e);
        }
    }

    abstract Socket open() throws IOException;

    abstract List<PingPongAddress> receive(Socket peer, List<PingPongAddress> own) throws IOException;

    abstract void confirm(Socket peer, List<PingPongAddress> own) throws IOException;

    abstract String peerName();

    private ToolException failure(IOException e) {
        return switch (e) {
            case EOFException _ ->
                new ToolException(
                        peerName() + " closed the connection during the exchange of addresses",
                        "see its output");
            case SocketTimeoutException _ ->
                new ToolException(peerName() + " did not answer within " + ANSWER_MILLISECONDS / 1000 + " s");
            default ->
                new ToolException("exchange of addresses with " + peerName() + " failed: " + IoFailure.reason(e));
        };
    }

    @Override
    public void close() {
        if (socket == null) {
            return;
        }
        try {
            socket.close();
        } catch (IOException e) {
            // The exchange has succeeded or failed before.
        }
    }

    private static List<PingPongAddress> read(Socket peer, int count) throws IOException {
        byte[] messages = new byte[count * PingPongAddress.MESSAGE_BYTES];
        TcpPeers.readFully(peer, messages, ANSWER_MILLISECONDS);
        var addresses = new ArrayList<PingPongAddress>(count);
        for (int at = 0; at < messages.length; at += PingPongAddress.MESSAGE_BYTES) {
            addresses.add(PingPongAddress.parse(Arrays.copyOfRange(messages, at, at + PingPongAddress.MESSAGE_BYTES)));
        }
        return addresses;
    }

    private static void write(Socket peer, List<PingPongAddress> own) throws IOException {
        var messages = new ByteArrayOutputStream();
        for (PingPongAddress address : own) {
            messages.writeBytes(address.toMessage());
        }
        peer.getOutputStream().write(messages.toByteArray());
    }

    /// The end with a host name.
    private static final class Client extends PingPongExchange {
        private final String host;
        private final int port;

        Client(String host, int port) {
            this.host = host;
            this.port = port;
        }

        @Override
        Socket open() throws IOException {
            return TcpPeers.connect(host, port);
        }

        @Override
        List<PingPongAddress> receive(Socket peer, List<PingPongAddress> own) throws IOException {
            write(peer, own);
            List<PingPongAddress> remote = read(peer, own.size());
            peer.getOutputStream().write(DONE);
            return remote;
        }

        @Override
        void confirm(Socket peer, List<PingPongAddress> own) {
            // The server was ready before it answered, and waits for this end's first message.
        }

        @Override
        String peerName() {
            return "the server " + host + ":" + port;
        }
    }

    /// The end that listens. As in C, it accepts one client.
    private static final class Server extends PingPongExchange {
        private final int port;
        private String client = "the client";

        Server(int port) {
            this.port = port;
        }

        @Override
        Socket open() throws IOException {
            Socket accepted = TcpPeers.accept(port);
            client = "the client " + accepted.getInetAddress().getHostAddress();
            return accepted;
        }

        @Override
        List<PingPongAddress> receive(Socket peer, List<PingPongAddress> own) throws IOException {
            return read(peer, own.size());
        }

        @Override
        void confirm(Socket peer, List<PingPongAddress> own) throws IOException {
            write(peer, own);
            TcpPeers.readFully(peer, new byte[DONE.length], ANSWER_MILLISECONDS);
        }

        @Override
        String peerName() {
            return client;
        }
    }
}
