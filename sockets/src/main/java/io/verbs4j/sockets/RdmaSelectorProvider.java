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

/// Socket channels and selectors that carry their bytes over RDMA where the [rules][SocketRules] say so and it is possible, and else over
/// TCP. Pipes, datagrams and UNIX sockets are the JDK's own; its selectors take all of them.
///
/// A program uses it explicitly, or without a change by
/// `-Djava.nio.channels.spi.SelectorProvider=io.verbs4j.sockets.RdmaSelectorProvider --add-exports java.base/sun.nio.ch=ALL-UNNAMED`, or by
/// the agent, which does that and more.
public final class RdmaSelectorProvider extends SelectorProvider {
    private final SocketContext context;

    /// Uses the rules of the system property `verbs4j.sockets.rules`, the name of a file, or the default ones.
    public RdmaSelectorProvider() {
        this(SocketContext.shared());
    }

    /// Uses other rules.
    public RdmaSelectorProvider(SocketRules rules) {
        this(SocketContext.shared().with(rules));
    }

    private RdmaSelectorProvider(SocketContext context) {
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
