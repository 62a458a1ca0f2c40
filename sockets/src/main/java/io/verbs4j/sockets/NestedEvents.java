// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import io.verbs4j.cm.CompletionWatch;
import io.verbs4j.types.VerbsException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Makes the inner selector of a [MixedSelector] wait for the completion events of connections over RDMA, too. A thread
/// that waits in the JDK's selector is woken by the kernel, and not by a thread of verbs4j that waits for the events.
///
/// The JDK's selector accepts only channels of the JDK. Therefore, a datagram channel of the JDK is registered with the
/// selector, and the channel's file descriptor is made to refer to a [CompletionWatch]. The channel carries no
/// datagrams. If the registration fails, a thread of verbs4j wakes the selector. Used by the thread that selects.
final class NestedEvents implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger("io.verbs4j.sockets");
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final Path UDP_SOCKETS = Path.of("/proc/self/net/udp");
    private static final int LOCAL_ADDRESS = 1;
    private static final int INODE = 9;

    private final Selector selector;
    private @Nullable CompletionWatch watch;
    private @Nullable DatagramChannel channel;
    private boolean failed;

    NestedEvents(Selector selector) {
        this.selector = selector;
    }

    /// Adds a channel's events, if possible.
    void add(MixedSelectable added) {
        if (failed || !added.isWatchable()) {
            return;
        }
        CompletionWatch used = watch;
        try {
            if (used == null) {
                used = CompletionWatch.create();
                watch = used;
                nest(used);
            }
            added.watch(used);
        } catch (IOException | UncheckedIOException | VerbsException | UnsupportedOperationException e) {
            failed = true;
            LOGGER.log(Level.DEBUG, "a selector is woken by a thread of verbs4j", e);
        }
    }

    private void nest(CompletionWatch used) throws IOException {
        DatagramChannel lender = JdkProvider.get().openDatagramChannel(StandardProtocolFamily.INET);
        channel = lender;
        lender.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[]{127, 0, 0, 1}), 0));
        lender.configureBlocking(false);
        used.replace(descriptor(((InetSocketAddress) lender.getLocalAddress()).getPort()));
        lender.register(selector, SelectionKey.OP_READ, this);
    }

    /// Returns the file descriptor of the UDP socket that is bound to a port of 127.0.0.1.
    static int descriptor(int port) throws IOException {
        String local = String.format(Locale.ROOT, "0100007F:%04X", port);
        String link = Files.readAllLines(UDP_SOCKETS)
                .stream()
                .map(line -> List.of(line.strip().split(" +")))
                .filter(columns -> local.equals(columns.get(LOCAL_ADDRESS)))
                .map(columns -> "socket:[" + columns.get(INODE) + "]")
                .findFirst()
                .orElseThrow(() -> new IOException(UDP_SOCKETS + " does not contain " + local));
        try (Stream<Path> files = Files.list(DESCRIPTORS)) {
            return files.filter(file -> pointsTo(file, link))
                    .mapToInt(file -> Integer.parseInt(file.getFileName().toString()))
                    .findFirst()
                    .orElseThrow(() -> new IOException(DESCRIPTORS + " does not contain " + link));
        }
    }

    private static boolean pointsTo(Path file, String link) {
        try {
            return link.equals(Files.readSymbolicLink(file).toString());
        } catch (IOException e) {
            return false; // closed meanwhile
        }
    }

    /// Handles the events that have arrived.
    void handle() throws IOException {
        CompletionWatch used = watch;
        if (used != null) {
            try {
                used.handle();
            } catch (VerbsException e) {
                throw new IOException(e.getMessage(), e);
            }
        }
    }

    /// Closes this after all channels have left.
    @Override
    public void close() throws IOException {
        DatagramChannel lender = channel;
        if (lender != null) {
            lender.close();
        }
        CompletionWatch used = watch;
        if (used != null) {
            used.close();
        }
    }
}
