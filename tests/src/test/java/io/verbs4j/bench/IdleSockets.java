// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.bench;

import io.verbs4j.sockets.RdmaSelectorProvider;
import io.verbs4j.sockets.SocketRules;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// Opens many sockets over RDMA in one process, both ends of each connection, and measures what idle ones cost.
///
/// `java -Dverbs4j.simulate=2 -Dverbs4j.sockets.ring=4096 -cp 'tests/target/dist/lib/*' io.verbs4j.bench.IdleSockets 10000 10.9.0.2`
public final class IdleSockets {
    private static final int IDLE_MILLIS = 10_000;
    private static final int BACKLOG = 64;

    private IdleSockets() {}

    /// @param heap bytes of live objects
    /// @param resident bytes of the process in memory
    private record Use(long heap, long resident, long descriptors, long threads) {
        static Use now() throws IOException {
            for (int i = 0; i < 3; i++) {
                System.gc();
            }
            long resident = Files.readAllLines(Path.of("/proc/self/status"))
                    .stream()
                    .filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElseThrow() << 10;
            try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
                return new Use(
                        Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory(),
                        resident,
                        files.count(),
                        ManagementFactory.getThreadMXBean().getThreadCount());
            }
        }
    }

    private static long processorMillis() throws IOException {
        // Fields 14 and 15, utime and stime, in hundredths of a second; the name before them may contain blanks.
        String text = Files.readString(Path.of("/proc/self/stat"));
        String[] fields = text.substring(text.lastIndexOf(')') + 2).split(" ");
        return 10 * (Long.parseLong(fields[11]) + Long.parseLong(fields[12]));
    }

    /// @param arguments number of sockets, and the address of a device
    public static void main(String... arguments) throws Exception {
        int connections = Integer.parseInt(arguments[0]) / 2;
        var provider =
                new RdmaSelectorProvider(SocketRules.parse("all", List.of("rdma connect * *", "rdma bind * *")));
        var sockets = new ArrayList<SocketChannel>();
        try (
                Selector selector = provider.openSelector();
                ServerSocketChannel server = provider.openServerSocketChannel()
                        .bind(new InetSocketAddress(arguments[1], 22_200), BACKLOG)) {
            connect(provider, server, sockets, selector); // loads all classes
            Use before = Use.now();
            long start = System.nanoTime();
            for (int i = 0; i < connections; i++) {
                connect(provider, server, sockets, selector);
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            print("%d sockets open, %.0f connects a second%n", 2 * connections, connections / seconds);
            Use after = Use.now();
            int count = 2 * connections;
            print("per socket: %d bytes of heap, %d bytes resident%n", (after.heap - before.heap) / count,
                    (after.resident - before.resident) / count);
            print("descriptors %d, before %d; threads %d, before %d%n", after.descriptors, before.descriptors,
                    after.threads, before.threads);
            long busy = processorMillis();
            int ready = selector.select(IDLE_MILLIS);
            print("idle for %d ms: %d ms of processor time, %d keys ready%n", IDLE_MILLIS, processorMillis() - busy,
                    ready);
            print("%d of %d connections answer%n", answering(sockets), sockets.size() / 2);
        }
        for (SocketChannel socket : sockets) {
            socket.close();
        }
    }

    private static void connect(
            RdmaSelectorProvider provider, ServerSocketChannel server, List<SocketChannel> sockets, Selector selector)
            throws IOException {
        SocketChannel here = provider.openSocketChannel();
        here.connect(server.getLocalAddress());
        SocketChannel there = server.accept();
        for (SocketChannel one : List.of(here, there)) {
            one.configureBlocking(false);
            one.register(selector, SelectionKey.OP_READ);
            sockets.add(one);
        }
    }

    private static int answering(List<SocketChannel> sockets) throws IOException {
        int answering = 0;
        for (int i = 0; i < sockets.size(); i += 2) {
            sockets.get(i).write(ByteBuffer.wrap(new byte[]{1}));
        }
        for (int i = 1; i < sockets.size(); i += 2) {
            ByteBuffer one = ByteBuffer.allocate(1);
            long deadline = System.nanoTime() + 10_000_000_000L;
            while (one.hasRemaining() && System.nanoTime() < deadline) {
                sockets.get(i).read(one);
            }
            answering += one.hasRemaining() ? 0 : 1;
        }
        return answering;
    }

    private static void print(String format, Object... values) {
        System.out.printf(Locale.ROOT, format, values);
    }
}
