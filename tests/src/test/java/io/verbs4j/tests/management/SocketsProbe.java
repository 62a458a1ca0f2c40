// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.management;

import io.verbs4j.sockets.RdmaSelectorProvider;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/// A program with a connection over RDMA and one over TCP, until its input ends.
final class SocketsProbe {
    private SocketsProbe() {}

    public static void main(String[] arguments) throws IOException {
        var provider = new RdmaSelectorProvider();
        try (
                var rdma = provider.openServerSocketChannel()
                        .bind(new InetSocketAddress(InetAddress.ofLiteral("10.9.0.2"), 22_100));
                var tcp = provider.openServerSocketChannel()
                        .bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0));
                var overRdma = provider.openSocketChannel();
                var overTcp = provider.openSocketChannel()) {
            overRdma.connect(rdma.getLocalAddress());
            overTcp.connect(tcp.getLocalAddress());
            try (var _ = rdma.accept(); var _ = tcp.accept()) {
                System.out.println("ready");
                while (System.in.read() >= 0) {
                    // The parent's end of the pipe is what keeps it.
                }
            }
        }
    }
}
