// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

import io.verbs4j.tools.IoFailure;
import io.verbs4j.tools.ToolException;
import io.verbs4j.types.Mtu;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// perftest's conversation over TCP (perftest_communication.c). At each step the client writes and then reads, the server
/// reads and then writes; so each step is also a meeting point. Each message is one write, because the C programs read it by
/// one read.
final class PerfExchange implements AutoCloseable {
    /// The version of perftest whose conversation this is.
    private static final String VERSION = "6.06";
    /// Behind the zero that ends the version for the C programs, by which two of us know each other.
    private static final String OURSELVES = "verbs4j";
    private static final int VERSION_BYTES = 16;
    private static final double OLDEST = 5.7;
    private static final Pattern NUMBERED = Pattern.compile("\\d{1,3}\\.\\d{1,3}");

    private static final int PAGE_BYTES = 4096;
    /// The largest that Linux has. What the peer says decides how much memory is registered here.
    private static final int LARGEST_PAGE_BYTES = 1 << 18;
    private static final int CACHE_LINE_BYTES = 64;
    private static final int MOST_WARM_UP = 100_000_000;

    private static final byte[] DONE = "done\0".getBytes(StandardCharsets.US_ASCII);
    /// The peer may start a virtual machine and register much memory in that time.
    private static final int ANSWER_MILLISECONDS = 120_000;

    private final boolean client;
    private final PerfWire wire;
    private final int patience;

    private PerfExchange(boolean client, PerfWire wire, int patience) {
        this.client = client;
        this.wire = wire;
        this.patience = patience;
    }

    /// Connects to the server if there is a host, else waits for a client.
    ///
    /// @param byConnectionManager whether to converse over RDMA instead of TCP
    static PerfExchange open(@Nullable String host, int port, boolean byConnectionManager) {
        return open(host, port, byConnectionManager, ANSWER_MILLISECONDS);
    }

    /// @param patience milliseconds that the peer may take for an answer before it measures
    static PerfExchange open(@Nullable String host, int port, boolean byConnectionManager, int patience) {
        try {
            PerfWire wire = byConnectionManager
                    ? CmWire.open(host, port, patience)
                    : TcpWire.open(host, port, patience);
            return new PerfExchange(host != null, wire, patience);
        } catch (IOException e) {
            throw new ToolException("cannot speak with the peer: " + IoFailure.reason(e));
        }
    }

    /// First step: the versions.
    ///
    /// @return whether the peer is one of us
    boolean exchangeVersions() {
        byte[] own = Arrays.copyOf((VERSION + '\0' + OURSELVES).getBytes(StandardCharsets.US_ASCII), VERSION_BYTES);
        String[] parts = new String(swap(own), StandardCharsets.ISO_8859_1).split("\0", -1);
        if (!NUMBERED.matcher(parts[0]).matches()) {
            throw new ToolException(
                    "the peer sent no version but '" + parts[0].replaceAll("[^ -~]", ".") + "'",
                    "is something else than perftest at that port?");
        }
        if (Double.parseDouble(parts[0]) < OLDEST) {
            throw new ToolException("the peer's perftest speaks version " + parts[0] + ", older than " + OLDEST);
        }
        return parts.length > 1 && parts[1].equals(OURSELVES);
    }

    /// Between two of us: which messages there are that C has not.
    ///
    /// @return what the client says
    ExtraMessages exchangeExtras(ExtraMessages own) {
        int warmUp = (int) within("a number of messages to warm up with", swapInt(own.warmUp()), 0, MOST_WARM_UP);
        long average = within("a wish for an average", swapInt(own.average() ? 1 : 0), 0, 1);
        return client ? own : new ExtraMessages(warmUp, average == 1);
    }

    /// Second step: the sizes of pages and of cache lines.
    ///
    /// @return within how many bytes either end may move small messages about
    int exchangePageSizes() {
        int remote = (int) within("a page size", swapInt(PAGE_BYTES), 1, LARGEST_PAGE_BYTES);
        if (Integer.bitCount(remote) != 1) {
            throw nonsense("a page size", remote);
        }
        swapInt(CACHE_LINE_BYTES);
        return Math.max(PAGE_BYTES, remote);
    }

    private static long within(String what, long value, long least, long most) {
        if (value < least || value > most) {
            throw nonsense(what, value);
        }
        return value;
    }

    private static ToolException nonsense(String what, Number value) {
        return new ToolException(
                "the peer sent " + what + " of " + value + ", which cannot be",
                "is it another test, or something else than perftest at that port?");
    }

    /// Third step: the path MTU, as the text of its code.
    ///
    /// @return the smaller one
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

    /// From now on the peer may measure between two steps, for as long as it likes.
    void allowMeasuring() {
        try {
            wire.allowSilence();
        } catch (IOException e) {
            throw new ToolException("the conversation with the peer broke: " + IoFailure.reason(e));
        }
    }

    /// A step in which the peers send each other an address; again and again the same ones, to wait for each other.
    PerfAddress exchange(PerfAddress own) {
        return wire.hasStructs()
                ? PerfAddress.ofStruct(swap(own.toStruct()))
                : PerfAddress.parse(swap(own.toMessage()));
    }

    /// A step of bandwidth tests: the results.
    BandwidthResult exchange(BandwidthResult own) {
        long size = within("a message size", swapLong(own.size()), 0, Integer.MAX_VALUE);
        long iterations = within("a number of messages", swapLong(own.messages()), 0, Long.MAX_VALUE);
        double peak = swapRate("a peak", own.peak());
        double average = swapRate("an average", own.average());
        double rate = swapRate("a message rate", own.messageRate());
        return new BandwidthResult((int) size, iterations, peak, average, rate);
    }

    /// The same step for who has no use for the peer's result: a server in C that did not measure sends what its stack
    /// happened to hold.
    void sayResult(BandwidthResult own) {
        swapLong(own.size());
        swapLong(own.messages());
        swapLong(Double.doubleToLongBits(own.peak()));
        swapLong(Double.doubleToLongBits(own.average()));
        swapLong(Double.doubleToLongBits(own.messageRate()));
    }

    /// The last step.
    void finish(PerfAddress own) {
        exchange(own);
        if (wire.hasStructs()) {
            return;
        }
        try {
            wire.write(DONE);
        } catch (IOException e) {
            // The peer has all that it waits for, and is gone already.
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
                wire.write(own);
            }
            wire.read(remote);
            if (!client) {
                wire.write(own);
            }
            return remote;
        } catch (EOFException e) {
            throw new ToolException("the peer closed the connection", "see what it printed: options may differ");
        } catch (SocketTimeoutException e) {
            throw new ToolException("the peer was silent for " + patience / 1000.0 + " s", "see whether it is stopped");
        } catch (IOException e) {
            throw new ToolException("the conversation with the peer broke: " + IoFailure.reason(e));
        }
    }

    @Override
    public void close() {
        try {
            wire.close();
        } catch (IOException e) {
            // All that it was for is done, or has failed already.
        }
    }
}
