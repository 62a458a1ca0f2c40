// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.examples.kv;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Runs a server and many clients in one process, each client in a virtual thread: `KeyValueStore ADDRESS PORT CLIENTS
/// ROUNDS`. The address must belong to an RDMA device of this machine.
public final class KeyValueStore {
    private KeyValueStore() {}

    /// Runs the program, and prints the result.
    public static void main(String... arguments) throws InterruptedException, ExecutionException {
        if (arguments.length != 4) {
            System.err.println("Usage: KeyValueStore ADDRESS PORT CLIENTS ROUNDS");
            System.exit(2);
        }
        var address = new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1]));
        int clients = Integer.parseInt(arguments[2]);
        int rounds = Integer.parseInt(arguments[3]);
        long begin = System.nanoTime();
        try (KeyValueServer server = KeyValueServer.listen(address)) {
            run(address, clients, rounds);
            System.out.println(
                    clients + " clients, " + 3L * clients * rounds + " requests, " + server.size() + " keys left, "
                            + (System.nanoTime() - begin) / 1_000_000 + " ms");
        }
    }

    /// Runs clients concurrently. Each client puts, gets and removes values of its own.
    static void run(InetSocketAddress address, int clients, int rounds)
            throws InterruptedException, ExecutionException {
        var connected = new CountDownLatch(clients);
        List<Future<?>> ends = new ArrayList<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int number = 0; number < clients; number++) {
                String name = "client " + number;
                ends.add(threads.submit(() -> {
                    work(address, name, rounds, connected);
                    return null;
                }));
            }
            for (Future<?> end : ends) {
                end.get();
            }
        }
    }

    private static void work(InetSocketAddress address, String name, int rounds, CountDownLatch connected)
            throws InterruptedException {
        try (KeyValueClient client = KeyValueClient.connect(address)) {
            connected.countDown();
            connected.await();
            for (int round = 0; round < rounds; round++) {
                String key = name + ", round " + round;
                byte[] value = key.repeat(1 + round * 20 % 100).getBytes(StandardCharsets.UTF_8);
                require(client.put(key, value).isEmpty(), key + " was there before");
                require(Arrays.equals(client.get(key).orElseThrow(), value), key + " has another value");
                require(client.remove(key).isPresent(), key + " is gone");
            }
        }
    }

    private static void require(boolean holds, String failure) {
        if (!holds) {
            throw new IllegalStateException(failure);
        }
    }
}
