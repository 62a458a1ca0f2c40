// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.tools.common.ToolException;
import io.verbs4j.types.Gid;
import io.verbs4j.types.Mtu;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The conversation, with a peer that is a list of bytes as the C programs send them.
@Timeout(30)
class PerfExchangeTest {
    private static final PerfAddress ADDRESS = new PerfAddress(0, 1, 17, 99, 7, 4096, new Gid(0, 0xffff_0a09_0001L));

    private final StringWriter notices = new StringWriter();
    private ServerSocket listener;

    @BeforeEach
    void listen() throws IOException {
        listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        listener.close();
    }

    /// A server in C: reads so many bytes, then writes.
    private CompletableFuture<byte[]> server(String... answers) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try (Socket client = listener.accept()) {
                        var read = new ByteArrayOutputStream();
                        var input = new DataInputStream(client.getInputStream());
                        for (String answer : answers) {
                            byte[] bytes = HexFormat.of().parseHex(answer);
                            read.write(input.readNBytes(bytes.length));
                            client.getOutputStream().write(bytes);
                        }
                        return read.toByteArray();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                Executors.newVirtualThreadPerTaskExecutor());
    }

    private PerfExchange client() {
        return PerfExchange.open("127.0.0.1", listener.getLocalPort(), false, new PrintWriter(notices));
    }

    private static String version(String text) {
        return HexFormat.of().formatHex(Arrays.copyOf(text.getBytes(StandardCharsets.US_ASCII), 16));
    }

    @Test
    void aPeerInCIsNotOneOfUs() {
        var said = server(version("6.06"), "00001000", "00000040", "3300");
        try (PerfExchange exchange = client()) {
            assertThat(exchange.exchangeVersions()).isFalse();
            assertThat(exchange.exchangePageSizes()).isEqualTo(4096);
            assertThat(exchange.exchangeMtu(Mtu.MTU_4096)).isEqualTo(Mtu.MTU_1024);
        }
        assertThat(HexFormat.of().formatHex(said.join()))
                .isEqualTo(version("6.06\0verbs4j") + "00001000" + "00000040" + "3500");
    }

    @Test
    void largerPagesOfThePeerCount() {
        server(version("6.06\0verbs4j"), "00000007", "00000000", "00010000", "00000080");
        try (PerfExchange exchange = client()) {
            assertThat(exchange.exchangeVersions()).isTrue();
            var own = new ExtraMessages(50, true);
            assertThat(exchange.exchangeExtras(own)).isEqualTo(own);
            assertThat(exchange.exchangePageSizes()).isEqualTo(65_536);
        }
    }

    /// Tests that what the peer says decides how long this end works and how much memory it registers.
    @ParameterizedTest
    @CsvSource({"7fffffff, 0, 00001000, warm-up", "ffffffff, 0, 00001000, warm-up", "00000001, 2, 00001000, average",
            "00000001, 0, 00000000, page size",
            "00000001, 1, 80000000, page size", "00000001, 0, 40000000, page size", "00000001, 0, 00001001, page size",
            "00000001, 0, 00080000, page size"})
    void sizesAndNumbersThatCannotBeAreRefused(String warmUp, String average, String page, String what) {
        server(version("6.06\0verbs4j"), warmUp, "0000000" + average, page, "00000080");
        try (PerfExchange exchange = client()) {
            exchange.exchangeVersions();
            assertThatThrownBy(() -> {
                exchange.exchangeExtras(ExtraMessages.NONE);
                exchange.exchangePageSizes();
            }).isInstanceOf(ToolException.class)
                    .hasMessageContainingAll("the peer sent", what, "which is out of range");
        }
    }

    @Test
    void anotherNumberOfMessagesIsRefusedIfBothEndsCount() {
        server("000007d0", "000003e8", "000007d0", "00000000");
        try (PerfExchange exchange = client()) {
            exchange.exchangeIterations(1000, false);
            exchange.exchangeIterations(1000, true);
            assertThatThrownBy(() -> exchange.exchangeIterations(1000, true)).isInstanceOf(ToolException.class)
                    .hasMessageStartingWith("this end measures 1000 messages, but the peer measures 2000 messages");
            assertThatThrownBy(() -> exchange.exchangeIterations(1000, true)).isInstanceOf(ToolException.class)
                    .hasMessageStartingWith("this end measures 1000 messages, but the peer measures for a time (-D)");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"NaN", "Infinity", "-6.06", "1e300", "0x6p0", "6.06d", "6", ""})
    void versionsThatAreNoneAreRefused(String text) {
        server(version(text));
        try (PerfExchange exchange = client()) {
            assertThatThrownBy(exchange::exchangeVersions)
                    .isInstanceOf(ToolException.class)
                    .hasMessageContaining("sent '" + text + "' instead of a version");
        }
    }

    @ParameterizedTest
    @CsvSource({"0000000080000000, 0, 0, 0, 0", "0, ffffffffffffffff, 0, 0, 0", "0, 0, 7ff8000000000000, 0, 0",
            "0, 0, 0, 7ff0000000000000, 0", "0, 0, 0, 0, bff0000000000000"})
    void resultsThatCannotBeAreRefused(String size, String messages, String peak, String average, String rate) {
        server(Stream.of(size, messages, peak, average, rate)
                .map(number -> "0".repeat(16 - number.length()) + number)
                .toArray(String[]::new));
        try (PerfExchange exchange = client()) {
            assertThatThrownBy(() -> exchange.exchange(new BandwidthResult(1024, 1000, 100, 50, 0.5)))
                    .isInstanceOf(ToolException.class)
                    .hasMessageContaining("which is out of range");
        }
    }

    @Test
    void aResultThatIsOfNoUseMayBeAnything() {
        server("ffffffffffffffff", "ffffffffffffffff", "7ff8000000000000", "7ff8000000000000", "7ff8000000000000");
        try (PerfExchange exchange = client()) {
            exchange.sendResult(new BandwidthResult(1024, 1000, 100, 50, 0.5));
            assertThatThrownBy(() -> exchange.exchange(ADDRESS)).hasMessageContaining("the peer closed the connection");
        }
    }

    @Test
    void resultsAreBigEndian() {
        var said = server("0000000000000400", "00000000000003e8", "4059000000000000", "4049000000000000",
                "3fe0000000000000");
        try (PerfExchange exchange = client()) {
            assertThat(exchange.exchange(new BandwidthResult(1024, 1000, 100, 50, 0.5)))
                    .isEqualTo(new BandwidthResult(1024, 1000, 100, 50, 0.5));
        }
        assertThat(HexFormat.of().formatHex(said.join()))
                .isEqualTo("0000000000000400" + "00000000000003e8" + "4059000000000000" + "4049000000000000"
                        + "3fe0000000000000");
    }

    @Test
    void addressesAreExchangedAndTheEndIsSaid() throws IOException {
        String address = HexFormat.of().formatHex(ADDRESS.toMessage());
        var said = server(address, address, "646f6e6500");
        try (PerfExchange exchange = client()) {
            assertThat(exchange.exchange(ADDRESS)).isEqualTo(ADDRESS);
            exchange.finish(ADDRESS);
        }
        assertThat(new String(said.join(), StandardCharsets.US_ASCII)).endsWith(":done\0".replace(":", "\0"));
    }

    @Test
    void oldOrForeignPeersAreRefused() throws IOException {
        server(version("5.60"));
        try (PerfExchange exchange = client()) {
            assertThatThrownBy(exchange::exchangeVersions)
                    .isInstanceOf(ToolException.class)
                    .hasMessageContaining("5.60, which is older than 5.7");
        }
        listener.close();
        listen();
        server(version("SSH-2.0-OpenSSH"));
        try (PerfExchange exchange = client()) {
            assertThatThrownBy(exchange::exchangeVersions)
                    .isInstanceOf(ToolException.class)
                    .hasMessageContaining("SSH-2.0-OpenSSH");
        }
    }

    private PerfExchange impatientClient() {
        return PerfExchange.open("127.0.0.1", listener.getLocalPort(), false, new PrintWriter(notices), 100);
    }

    /// A server in C that measures for long between two steps. The pause is within the server's message.
    private CompletableFuture<Void> slowServer(long milliseconds, int steps) {
        return CompletableFuture.runAsync(
                () -> {
                    try (Socket client = listener.accept()) {
                        for (int i = 0; i < steps; i++) {
                            client.getInputStream().readNBytes(PerfAddress.MESSAGE_BYTES);
                            byte[] answer = ADDRESS.toMessage();
                            client.getOutputStream().write(answer, 0, 1);
                            Thread.sleep(milliseconds);
                            client.getOutputStream().write(answer, 1, answer.length - 1);
                        }
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                },
                Executors.newVirtualThreadPerTaskExecutor());
    }

    @Test
    void aPeerMayMeasureForLongButNotThinkForLong() {
        slowServer(500, 1);
        try (PerfExchange exchange = impatientClient()) {
            assertThatThrownBy(() -> exchange.exchange(ADDRESS))
                    .isInstanceOf(ToolException.class)
                    .hasMessage("the peer did not answer within 0.1 s; check that it is running");
        }
        assertThat(notices.toString()).isEmpty();
        slowServer(500, 2);
        try (PerfExchange exchange = impatientClient()) {
            exchange.allowMeasuring();
            assertThat(exchange.exchange(ADDRESS)).isEqualTo(ADDRESS);
            assertThat(exchange.exchange(ADDRESS)).isEqualTo(ADDRESS);
            assertThat(notices.toString().lines())
                    .containsExactly("still waiting for the peer, which may be measuring or may have stopped");
            assertThatThrownBy(() -> exchange.exchange(ADDRESS)).hasMessageContaining("the peer closed the connection");
        }
    }

    @Test
    void aPeerThatLeavesIsNamed() {
        server(version("6.06"));
        try (PerfExchange exchange = client()) {
            exchange.exchangeVersions();
            assertThatThrownBy(() -> exchange.exchange(ADDRESS))
                    .isInstanceOf(ToolException.class)
                    .hasMessageMatching(
                            "(the peer closed the connection; .*|the connection to the peer broke: .*)");
        }
    }
}
