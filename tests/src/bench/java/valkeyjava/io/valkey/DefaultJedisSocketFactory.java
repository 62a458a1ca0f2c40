// SPDX-License-Identifier: Apache-2.0
package io.valkey;

import io.valkey.exceptions.JedisConnectionException;
import io.verbs4j.valkey.ValkeyOptions;
import io.verbs4j.valkey.ValkeySocketFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import javax.net.SocketFactory;

/// Takes the place of valkey-java's class of this name in `tools/lab valkey-java`. valkey-java's own tests then connect
/// over RDMA if the property `rdma` is the address of a device; connections to localhost go to this address.
public class DefaultJedisSocketFactory implements JedisSocketFactory {
    private static final String DEVICE = System.getProperty("rdma");
    private static final SocketFactory SOCKETS =
            DEVICE == null ? SocketFactory.getDefault() : ValkeySocketFactory.of(ValkeyOptions.defaults());
    /// Replaces short timeouts, which are for real machines. Valkey 9.1 crashes if a client gives up connecting over
    /// RDMA.
    private static final int LONG_MILLIS = 30_000;

    private final JedisClientConfig config;
    private volatile HostAndPort server;

    public DefaultJedisSocketFactory(HostAndPort server) {
        this(server, null);
    }

    public DefaultJedisSocketFactory(JedisClientConfig config) {
        this(null, config);
    }

    public DefaultJedisSocketFactory(HostAndPort server, JedisClientConfig config) {
        this.server = server == null ? new HostAndPort(Protocol.DEFAULT_HOST, Protocol.DEFAULT_PORT) : server;
        this.config = config == null ? DefaultJedisClientConfig.builder().build() : config;
        if (this.config.isSsl() || this.config.getHostAndPortMapper() != null) {
            throw new UnsupportedOperationException("no TLS and no mapped addresses over RDMA");
        }
    }

    @Override
    public Socket createSocket() {
        HostAndPort to = server;
        boolean local = to.getHost().equals("localhost") || to.getHost().equals("127.0.0.1");
        String host = DEVICE != null && local ? DEVICE : to.getHost();
        Socket socket = null;
        try {
            socket = SOCKETS.createSocket();
            socket.setTcpNoDelay(true);
            socket.setSoLinger(true, 0);
            socket.connect(new InetSocketAddress(host, to.getPort()), lengthened(config.getConnectionTimeoutMillis()));
            socket.setSoTimeout(lengthened(config.getSocketTimeoutMillis()));
            return socket;
        } catch (IOException e) {
            try (Socket _ = socket) {
                throw new JedisConnectionException("cannot connect to " + to, e);
            } catch (IOException closing) {
                throw new JedisConnectionException("cannot close the socket to " + to, closing);
            }
        }
    }

    private static int lengthened(int timeout) {
        return timeout > 0 && timeout <= Protocol.DEFAULT_TIMEOUT ? LONG_MILLIS : timeout;
    }

    public void updateHostAndPort(HostAndPort to) {
        server = to;
    }

    public HostAndPort getHostAndPort() {
        return server;
    }

    @Override
    public String toString() {
        return "DefaultJedisSocketFactory{" + server + "}";
    }
}
