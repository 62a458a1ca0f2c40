// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

import io.verbs4j.tools.common.IoFailure;
import io.verbs4j.tools.common.ToolException;
import io.verbs4j.types.Mtu;
import java.io.EOFException;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Exchanges perftest's messages with the peer (perftest_communication.c). In each step, the client writes and then
/// reads, and the server reads and then writes. A step therefore also synchronizes both ends. Each message is a single
/// write, because the C programs read it by a single read.
final class PerfExchange implements AutoCloseable {
    /// The version of perftest whose protocol this class implements.
    private static final String VERSION = "6.06";
    /// Follows the version and its terminating zero byte, so that a peer with verbs4j is recognized. C ignores it.
    private static final String SIGNATURE = "verbs4j";
    private static final int VERSION_BYTES = 16;
    private static final double OLDEST = 5.7;
    private static final Pattern NUMBERED = Pattern.compile("\\d{1,3}\\.\\d{1,3}");

    private static final int PAGE_BYTES = 4096;
    /// Largest page size of Linux. The limit matters because the peer's value determines the memory to register.
    private static final int MAX_PAGE_BYTES = 1 << 18;
    private static final int CACHE_LINE_BYTES = 64;
    private static final int MAX_WARM_UP = 100_000_000;

    private static final byte[] DONE = "done\0".getBytes(StandardCharsets.US_ASCII);
    /// Timeout for an answer. Meanwhile the peer may start a JVM and register much memory.
    private static final int ANSWER_MILLISECONDS = 120_000;
    /// Time after which a notice reports that this end waits for the peer's measurement.
    private static final int NOTICE_MILLISECONDS = 10_000;

    private final boolean client;
    private final PerfWire wire;
    private final PrintWriter err;
    /// Timeout for the next message in milliseconds; 0 for no limit.
    private int timeout;
    private boolean measuring;

    private PerfExchange(boolean client, PerfWire wire, PrintWriter err, int timeout) {
        this.client = client;
        this.wire = wire;
        this.err = err;
        this.timeout = timeout;
    }

    /// Connects to the server if there is a host, otherwise waits for a client.
    ///
    /// @param byConnectionManager whether to use RDMA instead of TCP
    /// @param err receives a notice if this end waits long for the peer's measurement
    static PerfExchange open(@Nullable String host, int port, boolean byConnectionManager, PrintWriter err) {
        return open(host, port, byConnectionManager, err, ANSWER_MILLISECONDS);
    }

    /// Connects to the server if there is a host, otherwise waits for a client.
    ///
    /// @param byConnectionManager whether to use RDMA instead of TCP
    /// @param err receives a notice if this end waits long for the peer's measurement
    /// @param timeout timeout for an answer before the measurement, in milliseconds
    static PerfExchange open(
            @Nullable String host, int port, boolean byConnectionManager, PrintWriter err, int timeout) {
        try {
            PerfWire wire = byConnectionManager ? CmWire.open(host, port, timeout) : TcpWire.open(host, port);
            return new PerfExchange(host != null, wire, err, timeout);
        } catch (IOException e) {
            throw new ToolException("cannot connect with the peer: " + IoFailure.reason(e));
        }
    }

    /// Exchanges the versions, in the first step.
    ///
    /// @return whether the peer is verbs4j
    boolean exchangeVersions() {
        byte[] own = Arrays.copyOf((VERSION + '\0' + SIGNATURE).getBytes(StandardCharsets.US_ASCII), VERSION_BYTES);
        String[] parts = new String(swap(own), StandardCharsets.ISO_8859_1).split("\0", -1);
        if (!NUMBERED.matcher(parts[0]).matches()) {
            throw new ToolException(
                    "the peer sent '" + parts[0].replaceAll("[^ -~]", ".") + "' instead of a version",
                    "check that the peer is perftest or 'verbs perf'");
        }
        if (Double.parseDouble(parts[0]) < OLDEST) {
            throw new ToolException("the peer's perftest has version " + parts[0] + ", which is older than " + OLDEST);
        }
        return parts.length > 1 && parts[1].equals(SIGNATURE);
    }

    /// Exchanges the numbers of messages that C does not send, with a peer that is verbs4j.
    ///
    /// @return the client's numbers
    ExtraMessages exchangeExtras(ExtraMessages own) {
        int warmUp = (int) within("a number of warm-up messages", swapInt(own.warmUp()), 0, MAX_WARM_UP);
        long average = within("a flag for an average", swapInt(own.average() ? 1 : 0), 0, 1);
        return client ? own : new ExtraMessages(warmUp, average == 1);
    }

    /// Exchanges the numbers of messages to measure, with a peer that is verbs4j.
    ///
    /// @param own this end's number; 0 for a timed test
    /// @param compared whether the numbers must be equal
    void exchangeIterations(int own, boolean compared) {
        int remote = swapInt(own);
        if (compared && remote != own) {
            throw new ToolException(
                    "this end measures " + messages(own) + ", but the peer measures " + messages(remote),
                    "use the same -n or -D at both ends");
        }
    }

    private static String messages(int number) {
        return number == 0 ? "for a time (-D)" : number + " messages";
    }

    /// Exchanges the sizes of pages and of cache lines, in the second step.
    ///
    /// @return number of bytes within which an end may place small messages at different offsets
    int exchangePageSizes() {
        int remote = (int) within("a page size", swapInt(PAGE_BYTES), 1, MAX_PAGE_BYTES);
        if (Integer.bitCount(remote) != 1) {
            throw nonsense("a page size", remote);
        }
        swapInt(CACHE_LINE_BYTES);
        return Math.max(PAGE_BYTES, remote);
    }

    private static long within(String what, long value, long min, long max) {
        if (value < min || value > max) {
            throw nonsense(what, value);
        }
        return value;
    }

    private static ToolException nonsense(String what, Number value) {
        return new ToolException(
                "the peer sent " + what + " of " + value + ", which is out of range",
                "check that the peer runs the same test, and that it is perftest or 'verbs perf'");
    }

    /// Exchanges the path MTU as the text of its code, in the third step.
    ///
    /// @return the smaller MTU
    Mtu exchangeMtu(Mtu own) {
        byte[] remote = swap(new byte[]{(byte) ('0' + own.value()), 0});
        int code = remote[0] - '0';
        for (Mtu mtu : Mtu.values()) {
            if (mtu.value() == code) {
                return own.min(mtu);
            }
        }
        return own;
    }

    /// Removes the limit of the following steps, because the peer may measure between two steps. The first long wait
    /// causes a notice.
    void allowMeasuring() {
        measuring = true;
        timeout = Math.min(timeout, NOTICE_MILLISECONDS);
    }

    /// Exchanges addresses. Both ends also repeat this step with the same address to synchronize.
    PerfAddress exchange(PerfAddress own) {
        return wire.hasStructs()
                ? PerfAddress.ofStruct(swap(own.toStruct()))
                : PerfAddress.parse(swap(own.toMessage()));
    }

    /// Exchanges the results of a bandwidth test.
    BandwidthResult exchange(BandwidthResult own) {
        long size = within("a message size", swapLong(own.size()), 0, Integer.MAX_VALUE);
        long iterations = within("a number of messages", swapLong(own.messages()), 0, Long.MAX_VALUE);
        double peak = swapRate("a peak", own.peak());
        double average = swapRate("an average", own.average());
        double rate = swapRate("a message rate", own.messageRate());
        return new BandwidthResult((int) size, iterations, peak, average, rate);
    }

    /// Sends a result, and ignores the peer's. A server in C that has not measured sends uninitialized values.
    void sendResult(BandwidthResult own) {
        swapLong(own.size());
        swapLong(own.messages());
        swapLong(Double.doubleToLongBits(own.peak()));
        swapLong(Double.doubleToLongBits(own.average()));
        swapLong(Double.doubleToLongBits(own.messageRate()));
    }

    /// Ends the exchange.
    void finish(PerfAddress own) {
        exchange(own);
        if (wire.hasStructs()) {
            return;
        }
        try {
            wire.write(DONE, 0);
        } catch (IOException e) {
            // The peer has received everything it needs, and has ended.
        }
    }

    private int swapInt(int own) {
        return ByteBuffer.wrap(swap(ByteBuffer.allocate(Integer.BYTES).putInt(own).array())).getInt();
    }

    private long swapLong(long own) {
        return ByteBuffer.wrap(swap(ByteBuffer.allocate(Long.BYTES).putLong(own).array())).getLong();
    }

    private double swapRate(String what, double own) {
        double remote = Double.longBitsToDouble(swapLong(Double.doubleToLongBits(own)));
        if (!(remote >= 0 && remote <= Double.MAX_VALUE)) {
            throw nonsense(what, remote);
        }
        return remote;
    }

    private byte[] swap(byte[] own) {
        byte[] remote = new byte[own.length];
        try {
            if (client) {
                write(own);
            }
            read(ByteBuffer.wrap(remote));
            if (!client) {
                write(own);
            }
            return remote;
        } catch (EOFException e) {
            throw new ToolException("the peer closed the connection", "see the peer's output: its options may differ");
        } catch (SocketTimeoutException e) {
            throw new ToolException("the peer did not answer within " + timeout / 1000.0 + " s",
                    "check that it is running");
        } catch (IOException e) {
            throw new ToolException("the connection to the peer broke: " + IoFailure.reason(e));
        }
    }

    private void write(byte[] message) throws IOException {
        wire.write(message, measuring ? 0 : timeout);
    }

    private void read(ByteBuffer message) throws IOException {
        try {
            wire.read(message, timeout);
        } catch (SocketTimeoutException e) {
            if (!measuring) {
                throw e;
            }
            err.println("still waiting for the peer, which may be measuring or may have stopped");
            err.flush();
            timeout = 0;
            wire.read(message, timeout);
        }
    }

    @Override
    public void close() {
        try {
            wire.close();
        } catch (IOException e) {
            // The exchange has succeeded or failed before.
        }
    }
}
