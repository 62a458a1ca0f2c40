// SPDX-License-Identifier: Apache-2.0
package peers;

import io.valkey.Jedis;
import io.valkey.JedisSocketFactory;
import io.valkey.Pipeline;
import io.verbs4j.valkey.ValkeyConnection;
import io.verbs4j.valkey.ValkeySocketFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;

/// GETs of 64 bytes from a Valkey server: by valkey-java over TCP or RDMA, or over verbs4j's connection itself.
///
/// Arguments: `tcp|socket|connection ADDRESS PORT CLIENTS PIPELINE REQUESTS WARM-UP`. Requests are those of all
/// clients. Prints the requests per second.
public final class Valkey {
    private static final String KEY = "verbs4j";
    private static final String VALUE = "v".repeat(64);

    /// One connection.
    interface Client {
        /// Gets the value several times: sends all requests, then takes all answers.
        void get(int times) throws Exception;
    }

    private static Client jedis(JedisSocketFactory factory) {
        var jedis = new Jedis(factory);
        jedis.set(KEY, VALUE);
        return times -> {
            if (times == 1) {
                require(jedis.get(KEY).length());
                return;
            }
            Pipeline pipeline = jedis.pipelined();
            for (int i = 0; i < times; i++) {
                pipeline.get(KEY);
            }
            for (Object answer : pipeline.syncAndReturnAll()) {
                require(((String) answer).length());
            }
        };
    }

    private static void require(int length) throws IOException {
        if (length != VALUE.length()) {
            throw new IOException("a value has " + length + " bytes");
        }
    }

    private static Client connection(InetSocketAddress address) throws Exception {
        var connection = ValkeyConnection.connect(address);
        byte[] command =
                ("*2\r\n$3\r\nGET\r\n$" + KEY.length() + "\r\n" + KEY + "\r\n").getBytes(StandardCharsets.US_ASCII);
        byte[] answer = ("$" + VALUE.length() + "\r\n" + VALUE + "\r\n").getBytes(StandardCharsets.US_ASCII);
        return times -> {
            var commands = ByteBuffer.allocate(times * command.length);
            for (int i = 0; i < times; i++) {
                commands.put(command);
            }
            connection.write(commands.flip());
            var answers = ByteBuffer.allocate(times * answer.length);
            while (answers.hasRemaining()) {
                if (connection.read(answers) < 0) {
                    throw new IOException("the server has closed the connection");
                }
            }
        };
    }

    private static Socket tcp(InetSocketAddress address) {
        var socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.connect(address);
            return socket;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    static void main(String[] arguments) throws Exception {
        var address = new InetSocketAddress(arguments[1], Integer.parseInt(arguments[2]));
        int count = Integer.parseInt(arguments[3]);
        int pipeline = Integer.parseInt(arguments[4]);
        var factory = ValkeySocketFactory.to(address);
        List<Client> clients = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            clients.add(switch (arguments[0]) {
                case "tcp" -> jedis(() -> tcp(address));
                case "socket" -> jedis(factory::createSocket);
                default -> connection(address);
            });
        }
        run(clients, pipeline, Integer.parseInt(arguments[6]));
        int requests = Integer.parseInt(arguments[5]);
        System.out.printf("= %.1f%n", requests * 1e9 / run(clients, pipeline, requests));
        System.exit(0);
    }

    /// Returns the nanoseconds of some requests, divided among the clients.
    private static long run(List<Client> clients, int pipeline, int requests) throws Exception {
        var barrier = new CyclicBarrier(clients.size() + 1);
        var failures = new ArrayList<Exception>();
        for (Client client : clients) {
            Thread.ofPlatform().start(() -> {
                try {
                    barrier.await();
                    for (int i = 0; i < requests / clients.size(); i += pipeline) {
                        client.get(pipeline);
                    }
                } catch (Exception e) {
                    synchronized (failures) {
                        failures.add(e);
                    }
                }
                await(barrier);
            });
        }
        barrier.await();
        long start = System.nanoTime();
        barrier.await();
        long end = System.nanoTime();
        synchronized (failures) {
            if (!failures.isEmpty()) {
                throw failures.getFirst();
            }
        }
        return end - start;
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
