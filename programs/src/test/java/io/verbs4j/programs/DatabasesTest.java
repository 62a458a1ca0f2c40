// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.programs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.PGConnection;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisPubSub;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.exceptions.JedisConnectionException;

/// A program with an HTTP server and clients over RDMA, and with databases over TCP, because the servers are C
/// programs.
@Tag("long-run")
@Timeout(300)
class DatabasesTest {
    /// The rules require TCP for these ports.
    private static final int POSTGRES_PORT = 23_401;
    private static final int VALKEY_PORT = 23_402;
    private static final int HTTP_PORT = 22_411;
    private static final int ROWS = 20_000;
    private static final int REQUESTS = 20;

    /// Answers a request from a database.
    private interface Answer {
        String to(int number) throws Exception;
    }

    @TempDir Path folder;

    private Process start(List<String> command) throws IOException {
        return new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()))
                .start();
    }

    private String log() throws IOException {
        return Files.readString(folder.resolve("log"));
    }

    /// Asks the answers of concurrent requests by HTTP, over RDMA.
    private static void ask(Answer answer) throws Exception {
        var server = HttpServer.create(new InetSocketAddress(Transports.HOST, HTTP_PORT), 0);
        try (
                var threads = Executors.newVirtualThreadPerTaskExecutor();
                HttpClient client = HttpClient.newHttpClient()) {
            server.setExecutor(threads);
            server.createContext("/", exchange -> {
                try (exchange) {
                    byte[] body = answer.to(Integer.parseInt(exchange.getRequestURI().getPath().substring(1)))
                            .getBytes(UTF_8);
                    exchange.sendResponseHeaders(200, body.length);
                    exchange.getResponseBody().write(body);
                } catch (Exception e) {
                    throw new IOException(e);
                }
            });
            server.start();
            var responses = IntStream.range(0, REQUESTS)
                    .mapToObj(i -> URI.create("http://" + Transports.HOST + ":" + HTTP_PORT + "/" + i))
                    .map(uri -> client.sendAsync(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()))
                    .toList();
            for (int i = 0; i < REQUESTS; i++) {
                assertThat(responses.get(i).get(100, TimeUnit.SECONDS).body()).isEqualTo("answer " + i);
            }
        } finally {
            server.stop(0);
        }
    }

    private static <T> T await(Callable<T> attempt) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(100);
        while (true) {
            try {
                return attempt.call();
            } catch (SQLException | JedisConnectionException e) {
                if (System.nanoTime() > deadline) {
                    throw e;
                }
                Thread.sleep(500);
            }
        }
    }

    /// Returns the command of a program of PostgreSQL. PostgreSQL refuses to run as root.
    private static List<String> postgres(String program, String... arguments) throws IOException {
        var command = new ArrayList<>(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"));
        try (var versions = Files.newDirectoryStream(Path.of("/usr/lib/postgresql"))) {
            command.add(versions.iterator().next().resolve("bin").resolve(program).toString());
        }
        command.addAll(List.of(arguments));
        return command;
    }

    @Test
    void postgres() throws Exception {
        assertThat(start(List.of("chown", "65534:65534", ".")).waitFor()).isZero();
        var initialize = postgres("initdb", "-D", "data", "-U", "postgres", "--auth=trust", "--no-sync", "--locale=C");
        assertThat(start(initialize).waitFor()).as(log()).isZero();
        Files.writeString(folder.resolve("data/pg_hba.conf"), "host all all 10.9.0.0/24 trust\n");
        Process server = start(
                postgres("postgres", "-D", "data", "-k", "/tmp", "-p", POSTGRES_PORT + "", "-h", Transports.HOST));
        try (Connection connection = await(DatabasesTest::connect)) {
            copy(connection);
            cancel(connection);
            ask(number -> {
                try (
                        Connection own = connect();
                        PreparedStatement query = own.prepareStatement("select text from answers where number = ?")) {
                    query.setInt(1, number);
                    ResultSet result = query.executeQuery();
                    assertThat(result.next()).isTrue();
                    return result.getString(1);
                }
            });
        } finally {
            server.destroy();
            server.waitFor();
        }
        Transports.assertRdmaAndTcp(REQUESTS + 2);
    }

    private static Connection connect() throws SQLException {
        return DriverManager.getConnection(
                "jdbc:postgresql://" + Transports.HOST + ":" + POSTGRES_PORT
                        + "/postgres?user=postgres&socketTimeout=100");
    }

    /// Writes and reads more than the kernel buffers.
    private static void copy(Connection connection) throws Exception {
        String filling = "x".repeat(1000);
        String rows = IntStream.range(0, ROWS)
                .mapToObj(i -> i + "\tanswer " + i + "\t" + filling + "\n")
                .collect(Collectors.joining());
        try (Statement statement = connection.createStatement()) {
            statement.execute("create table answers (number int primary key, text text, filling text)");
            var copies = connection.unwrap(PGConnection.class).getCopyAPI();
            assertThat(copies.copyIn("copy answers from stdin", new StringReader(rows))).isEqualTo(ROWS);
            var read = new StringWriter();
            copies.copyOut("copy (select * from answers order by number) to stdout", read);
            assertThat(read.toString()).isEqualTo(rows);
        }
    }

    /// Cancels a query by a second connection, as the driver does after a timeout.
    private static void cancel(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(1);
            assertThatThrownBy(() -> statement.execute("select pg_sleep(100)"))
                    .hasMessageContaining("canceling statement");
            assertThat(statement.execute("select 1")).isTrue();
        }
    }

    @Test
    void valkey() throws Exception {
        Process server = start(List.of(
                Path.of("../target/lab/valkey/valkey-server").toRealPath().toString(),
                "--bind", Transports.HOST, "--port", VALKEY_PORT + "", "--save", "", "--protected-mode", "no"));
        try (Jedis jedis = await(DatabasesTest::connectToValkey)) {
            byte[] large = new byte[5_000_000];
            new Random(large.length).nextBytes(large);
            jedis.set("large".getBytes(UTF_8), large);
            assertThat(jedis.get("large".getBytes(UTF_8))).isEqualTo(large);
            Pipeline pipeline = jedis.pipelined();
            IntStream.range(0, ROWS).forEach(i -> pipeline.set("answers:" + i, "answer " + i));
            assertThat(pipeline.syncAndReturnAll()).hasSize(ROWS).containsOnly("OK");
            publish(jedis);
            ask(number -> {
                try (Jedis own = connectToValkey()) {
                    return own.get("answers:" + number);
                }
            });
        } finally {
            server.destroy();
            server.waitFor();
        }
        Transports.assertRdmaAndTcp(REQUESTS + 2);
    }

    private static Jedis connectToValkey() {
        var jedis = new Jedis(Transports.HOST, VALKEY_PORT, 100_000);
        jedis.ping();
        return jedis;
    }

    private static void publish(Jedis publisher) throws Exception {
        var subscribed = new CountDownLatch(1);
        var received = new CompletableFuture<String>();
        var subscription = new JedisPubSub() {
            @Override
            public void onSubscribe(String channel, int count) {
                subscribed.countDown();
            }

            @Override
            public void onMessage(String channel, String message) {
                received.complete(message);
                unsubscribe();
            }
        };
        Thread reader = Thread.startVirtualThread(() -> {
            try (Jedis jedis = connectToValkey()) {
                jedis.subscribe(subscription, "news");
            }
        });
        assertThat(subscribed.await(100, TimeUnit.SECONDS)).isTrue();
        assertThat(publisher.publish("news", "message")).isEqualTo(1);
        assertThat(received.get(100, TimeUnit.SECONDS)).isEqualTo("message");
        reader.join();
    }
}
