// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import java.io.IOException;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.nio.channels.Channel;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Provides socket channels and selectors. Channels use RDMA if the [rules][SocketRules] permit RDMA and the peer is
/// reachable over RDMA, otherwise TCP. Pipes, datagram channels and UNIX sockets are those of the JDK. The selectors
/// accept all of these channels.
///
/// A program can call the provider directly. An unchanged program uses the provider if it is started with
/// `-Djava.nio.channels.spi.SelectorProvider=io.verbs4j.sockets.RdmaSelectorProvider` and
/// `--add-exports java.base/sun.nio.ch=ALL-UNNAMED`, or with the [agent][SocketsAgent]. The agent also covers the
/// sockets of `java.net`.
public final class RdmaSelectorProvider extends SelectorProvider {
    private final SocketContext context;

    /// Creates a provider with the rules in the file that the system property `verbs4j.sockets.rules` names. Without
    /// this property, the provider has the default rules.
    public RdmaSelectorProvider() {
        this(SocketContext.shared());
    }

    /// Creates a provider with the given rules.
    public RdmaSelectorProvider(SocketRules rules) {
        this(SocketContext.shared().with(rules));
    }

    RdmaSelectorProvider(SocketContext context) {
        this.context = context;
    }

    SocketContext context() {
        return context;
    }

    @Override
    public DatagramChannel openDatagramChannel() throws IOException {
        return JdkProvider.get().openDatagramChannel();
    }

    @Override
    public DatagramChannel openDatagramChannel(ProtocolFamily family) throws IOException {
        return JdkProvider.get().openDatagramChannel(family);
    }

    @Override
    public Pipe openPipe() throws IOException {
        return JdkProvider.get().openPipe();
    }

    @Override
    public AbstractSelector openSelector() throws IOException {
        return new MixedSelector(this);
    }

    @Override
    public ServerSocketChannel openServerSocketChannel() {
        return new MixedServerChannel(this, null);
    }

    @Override
    public ServerSocketChannel openServerSocketChannel(ProtocolFamily family) throws IOException {
        return isInet(family)
                ? new MixedServerChannel(this, family)
                : JdkProvider.get().openServerSocketChannel(family);
    }

    @Override
    public SocketChannel openSocketChannel() {
        return new MixedChannel(this, null);
    }

    @Override
    public SocketChannel openSocketChannel(ProtocolFamily family) throws IOException {
        return isInet(family) ? new MixedChannel(this, family) : JdkProvider.get().openSocketChannel(family);
    }

    private static boolean isInet(ProtocolFamily family) {
        Objects.requireNonNull(family, "family");
        return StandardProtocolFamily.INET.equals(family) || StandardProtocolFamily.INET6.equals(family);
    }

    @Override
    public @Nullable Channel inheritedChannel() throws IOException {
        return JdkProvider.get().inheritedChannel();
    }

    @Override
    public String toString() {
        return "sockets over RDMA: " + context.rules();
    }
}
