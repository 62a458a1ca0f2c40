// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;

/// The TCP connection over which two programs find each other before they speak RDMA.
public final class TcpPeers {
    private static final int CONNECT_MILLISECONDS = 10_000;

    private TcpPeers() {}

    /// Connects to a server, by any of its addresses.
    ///
    /// @throws ToolException if there is none
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
        throw new ToolException(
                "cannot connect to " + host + ":" + port + ": " + failure.getMessage(),
                "start the server there first, and check address, TCP port and firewall");
    }

    private static InetAddress[] addresses(String host) {
        try {
            return InetAddress.getAllByName(host);
        } catch (UnknownHostException e) {
            throw new ToolException("there is no host " + host, "check the name, or give an address");
        }
    }

    /// Waits for one client, as the C programs do.
    ///
    /// @throws ToolException if the port is taken
    public static Socket accept(int port) throws IOException {
        try (var listener = new ServerSocket()) {
            listener.setReuseAddress(true);
            try {
                listener.bind(new InetSocketAddress(port), 1);
            } catch (IOException e) {
                throw new ToolException(
                        "cannot listen on TCP port " + port + ": " + e.getMessage(), "choose another one with -p");
            }
            Listening.begins();
            return listener.accept();
        }
    }
}
