// SPDX-License-Identifier: Apache-2.0
package peers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;

/// Calls with an argument and a result of 64 bytes. Both ends are in this process.
///
/// Arguments: `grpc|darpc|messages|async ADDRESS PORT WINDOW CALLS WARM-UP`. Prints the microseconds of a call, divided
/// by the calls in flight, and the microseconds of the machine's processor time that a call takes, with the kernel's.
public final class Calls {
    static final int BYTES = 64;
    /// Jiffies of `/proc/stat`.
    private static final double MICROS_PER_TICK = 10_000;
    private static final int IDLE = 4;
    private static final int WAITING = 5;

    /// A client and a server that returns the arguments of calls.
    interface Library {
        /// Makes calls, some of them at a time.
        void call(int calls, int window) throws Exception;
    }

    static void main(String[] arguments) throws Exception {
        var address = new InetSocketAddress(arguments[1], Integer.parseInt(arguments[2]));
        Library library = switch (arguments[0]) {
            case "grpc" -> new GrpcCalls(address);
            case "darpc" -> new DarpcCalls(address);
            case "messages" -> new MessageCalls(address);
            case "async" -> new AsyncCalls(address);
            default -> throw new IllegalArgumentException(arguments[0]);
        };
        int window = Integer.parseInt(arguments[3]);
        int calls = Integer.parseInt(arguments[4]);
        library.call(Integer.parseInt(arguments[5]), window);
        long ticks = busyTicks();
        long start = System.nanoTime();
        library.call(calls, window);
        double nanos = System.nanoTime() - start;
        System.out.printf("= %.3f %.3f%n", nanos / 1e3 / calls, (busyTicks() - ticks) * MICROS_PER_TICK / calls);
        System.exit(0);
    }

    /// Returns the time that the machine's processors have spent on anything.
    private static long busyTicks() throws IOException {
        String[] fields = Files.readAllLines(Path.of("/proc/stat")).getFirst().split(" +");
        long ticks = 0;
        for (int i = 1; i <= 8; i++) {
            if (i != IDLE && i != WAITING) {
                ticks += Long.parseLong(fields[i]);
            }
        }
        return ticks;
    }
}
