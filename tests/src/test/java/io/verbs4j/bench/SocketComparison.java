// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.bench;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.netty.channel.Channel;
import io.verbs4j.sockets.RdmaSelectorProvider;
import io.verbs4j.sockets.SocketRules;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.JavaProcess;
import io.verbs4j.tests.support.LeakCheck;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Compares channels over RDMA with the JDK's channels over TCP on the same wire. `connects.c` makes connections over
/// RDMA in C. The order of the two Java programs alternates from round to round. The C program is the last one. Prints
/// a line `case,program,round,figure` for each figure.
///
/// Arguments: `C_PROGRAM ROUNDS`. This process contains the clients. It starts a process with the servers, without
/// arguments.
final class SocketComparison {
    /// Length of the warm-up, in rounds.
    private static final int WARM_UP = 4;
    private static final int ROUND_TRIPS = 500;
    private static final int CONNECTS = 100;
    private static final int WAKE_UPS = 400;
    private static final int BYTES = 64;
    /// Pause before each wake-up. During the pause, the thread returns to its selector.
    private static final long PAUSE_NANOS = 500_000;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private static final List<Program> PROGRAMS = List.of(
            new Program("JDK, TCP", SelectorProvider.provider(), 24_000),
            new Program("verbs4j, RDMA", new RdmaSelectorProvider(
                    SocketRules.parse("bench", List.of("rdma connect * *", "rdma bind * *"))), 24_100));

    private final List<Case> cases = List.of(
            this::nettyPingPong,
            this::nettyStream,
            (program, factor) -> pingPong(program, factor, Service.ECHO_BY_SELECTOR),
            (program, factor) -> pingPong(program, factor, Service.ECHO_BLOCKING),
            this::connects,
            this::wakeUps);
    private int round;

    private enum Service {
        NETTY_ECHO, NETTY_SINK, ECHO_BY_SELECTOR, ECHO_BLOCKING, CLOSE
    }

    private record Program(String name, SelectorProvider provider, int firstPort) {
        /// The guest's route to this address crosses the wire.
        InetSocketAddress address(Service service) {
            return new InetSocketAddress("10.9.0.2", firstPort + service.ordinal());
        }

        SocketChannel connect(Service service) throws IOException {
            SocketChannel channel = provider.openSocketChannel();
            channel.connect(address(service));
            return channel;
        }
    }

    private interface Case {
        /// Measures a program, and prints figures.
        ///
        /// @param factor number of rounds to measure at once
        void run(Program program, int factor) throws Exception;
    }

    static void main(String[] arguments) throws Exception {
        if (arguments.length == 0) {
            serve();
            return;
        }
        var command = new ArrayList<>(List.of(JavaProcess.launcher()));
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), SocketComparison.class.getName()));
        Process servers = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        Runtime.getRuntime().addShutdownHook(new Thread(servers::destroy));
        servers.getInputStream().read(); // the servers are ready
        try {
            var comparison = new SocketComparison();
            int rounds = Integer.parseInt(arguments[1]);
            for (int round = 0; round <= rounds; round++) {
                System.err.printf("round %d of %d%n", round, rounds);
                comparison.run(round, arguments[0]);
            }
        } catch (Exception e) {
            e.printStackTrace();
            System.exit(1);
        }
        System.exit(0); // Netty's threads continue
    }

    private static void serve() throws Exception {
        for (Program program : PROGRAMS) {
            NettyExchange.serve(program.provider, program.address(Service.NETTY_ECHO), Channel::writeAndFlush);
            NettyExchange.serve(program.provider, program.address(Service.NETTY_SINK), NettyExchange.sink());
            serve(program, Service.ECHO_BLOCKING, peer -> exchange(peer, null, Integer.MAX_VALUE, false));
            serve(program, Service.ECHO_BY_SELECTOR,
                    peer -> exchange(peer, program.provider, Integer.MAX_VALUE, false));
            serve(program, Service.CLOSE, peer -> peer.read(ByteBuffer.allocate(1)));
        }
        System.out.println("ready");
    }

    private interface Serving {
        void serve(SocketChannel peer) throws IOException;
    }

    private static void serve(Program program, Service service, Serving serving) throws IOException {
        ServerSocketChannel listener =
                program.provider.openServerSocketChannel().bind(program.address(service));
        Thread.ofPlatform().start(() -> {
            while (true) {
                try (SocketChannel peer = listener.accept()) {
                    serving.serve(peer);
                } catch (IOException e) {
                    e.printStackTrace();
                    System.exit(1); // the client fails
                }
            }
        });
    }

    /// @param number 0 for the warm-up
    private void run(int number, String cProgram) throws Exception {
        round = number;
        for (Case each : cases) {
            for (Program program : round % 2 == 1 ? PROGRAMS : PROGRAMS.reversed()) {
                each.run(program, round == 0 ? WARM_UP : 1);
            }
        }
        String rate = ExternalProcess.of(cProgram, "10.9.0.2", "24200", "" + CONNECTS)
                .run(Duration.ofMinutes(10))
                .requireSuccess()
                .output();
        print("connections per second", "C, rsockets", Double.parseDouble(rate));
    }

    private void print(String what, String program, double figure) {
        if (round > 0) {
            System.out.printf(Locale.ROOT, "\"%s\",\"%s\",%d,%.3f%n", what, program, round, figure);
        }
    }

    private void nettyPingPong(Program program, int factor) throws Exception {
        int count = factor * ROUND_TRIPS;
        long processor = PROCESS.getProcessCpuTime();
        double nanos = NettyExchange.pingPong(BYTES, count).run(program.provider, program.address(Service.NETTY_ECHO));
        processor = PROCESS.getProcessCpuTime() - processor;
        print("Netty, 64 bytes and back: µs", program.name, nanos / count / 1e3);
        print("Netty, 64 bytes and back: processor time of the client, µs", program.name, processor / 1e3 / count);
    }

    private void nettyStream(Program program, int factor) throws Exception {
        double nanos = NettyExchange.stream(factor).run(program.provider, program.address(Service.NETTY_SINK));
        print("Netty, writes of 64 KiB: MB/s", program.name, 1e3 * factor * NettyExchange.STREAM / nanos);
    }

    private void pingPong(Program program, int factor, Service service) throws Exception {
        int count = factor * ROUND_TRIPS;
        boolean blocking = service == Service.ECHO_BLOCKING;
        try (SocketChannel client = program.connect(service)) {
            long[] figures = exchange(client, blocking ? null : program.provider, count, true);
            String what = (blocking ? "blocking channels" : "channels with a selector") + ", 64 bytes and back: ";
            print(what + "µs", program.name, figures[0] / 1e3);
            print(what + "bytes allocated by the client", program.name, figures[1]);
        }
    }

    /// Sends and receives in turn, until `count` messages have come back, or the peer has closed.
    ///
    /// @param provider null in blocking mode
    /// @return nanoseconds and allocated bytes of this process per round trip of the second half
    private static long[] exchange(SocketChannel channel, @Nullable SelectorProvider provider, int count, boolean first)
            throws IOException {
        try (Selector selector = provider == null ? null : provider.openSelector()) {
            if (selector != null) {
                channel.configureBlocking(false).register(selector, SelectionKey.OP_READ);
            }
            ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES);
            long allocated = 0;
            long start = 0;
            for (int i = 0; i < count; i++) {
                if (i == count / 2) {
                    allocated = THREADS.getTotalThreadAllocatedBytes();
                    start = System.nanoTime();
                }
                if (first) {
                    write(channel, buffer);
                }
                if (!read(channel, selector, buffer)) {
                    break;
                }
                if (!first) {
                    write(channel, buffer);
                }
            }
            long nanos = System.nanoTime() - start;
            allocated = THREADS.getTotalThreadAllocatedBytes() - allocated;
            return new long[]{2 * nanos / count, 2 * allocated / count};
        }
    }

    private static void write(SocketChannel channel, ByteBuffer buffer) throws IOException {
        buffer.clear();
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }

    private static boolean read(SocketChannel channel, @Nullable Selector selector, ByteBuffer buffer)
            throws IOException {
        buffer.clear();
        while (buffer.hasRemaining()) {
            int bytes = channel.read(buffer);
            if (bytes < 0) {
                return false;
            }
            if (bytes == 0 && selector != null) {
                selector.select(_ -> {});
            }
        }
        return true;
    }

    /// Connects and closes; the server accepts, reads the end, and closes. Closing continues in the background, so this
    /// waits until the files of all connections are closed.
    private void connects(Program program, int factor) throws Exception {
        int count = factor * CONNECTS;
        program.connect(Service.CLOSE).close();
        int files = LeakCheck.descriptors().size();
        long start = System.nanoTime();
        for (int i = 0; i < count; i++) {
            program.connect(Service.CLOSE).close();
        }
        while (LeakCheck.descriptors().size() > files) {
            Thread.sleep(1);
        }
        print("connections per second", program.name, count * 1e9 / (System.nanoTime() - start));
    }

    /// The median time from a write into a pipe until a select returns, in a selector with a connected channel.
    private void wakeUps(Program program, int factor) throws Exception {
        var times = new long[factor * WAKE_UPS];
        var clock = new long[times.length];
        var begun = new AtomicLong();
        var returned = new Semaphore(0);
        var pipe = program.provider.openPipe();
        try (
                SocketChannel client = program.connect(Service.ECHO_BLOCKING);
                Selector selector = program.provider.openSelector();
                var source = pipe.source();
                var sink = pipe.sink()) {
            client.configureBlocking(false).register(selector, SelectionKey.OP_READ);
            source.configureBlocking(false).register(selector, SelectionKey.OP_READ);
            ByteBuffer signal = ByteBuffer.allocateDirect(1);
            var waker = new FutureTask<>(() -> {
                for (int i = 0; i < times.length; i++) {
                    LockSupport.parkNanos(PAUSE_NANOS);
                    begun.set(System.nanoTime());
                    sink.write(signal.duplicate());
                    returned.acquire();
                }
                return times.length;
            });
            Thread.ofPlatform().start(waker);
            ByteBuffer received = ByteBuffer.allocateDirect(1);
            for (int i = 0; i < times.length; i++) {
                selector.select();
                long now = System.nanoTime();
                times[i] = now - begun.get();
                clock[i] = System.nanoTime() - now;
                selector.selectedKeys().clear();
                source.read(received.clear());
                returned.release();
            }
            waker.get();
        }
        // Reading the clock takes long on user-mode Linux.
        print("wake-up of a selector by a pipe: µs", program.name, (median(times) - median(clock)) / 1e3);
    }

    private static double median(long[] figures) {
        Arrays.sort(figures);
        return figures[figures.length / 2];
    }
}
