// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// Exchanges over a TCP socket what two programs have to say to each other before their queue pairs work: where each is
/// found, what memory each offers, and that each is ready. For networks and programs without the kernel's connection manager;
/// with it, `RdmaServer` and `RdmaConnection` of the module `io.verbs4j.cm` do more with less.
///
/// Both ends call the same methods in the same order. Each call says this end's part and waits for the peer's.
///
/// The peer is not trusted: lines are short, lists are bounded, each call ends after the timeout, and whatever else comes ends
/// in a [VerbsException] with `EPROTO`. Nothing is encrypted, and nobody proves who he is.
///
/// One thread at a time; any thread may close it, which ends a call that waits.
public final class SocketExchange implements AutoCloseable {
    /// The most regions that one end can offer in one call.
    public static final int MAX_REGIONS = 256;

    private static final String GREETING = "verbs4j-exchange";
    private static final String VERSION = "1";
    private static final int RETRY_MILLISECONDS = 50;

    private final SocketLines lines;

    private SocketExchange(Socket socket, Duration timeout) {
        lines = new SocketLines(socket, timeout);
        try {
            swap(GREETING, VERSION, version -> {
                if (!version.equals(VERSION)) {
                    throw new IllegalArgumentException("this end speaks version " + VERSION);
                }
                return version;
            });
        } catch (RuntimeException | Error e) {
            lines.close();
            throw e;
        }
    }

    /// Waits for one peer to connect, and stops listening then.
    ///
    /// @param address where to listen; a wildcard for all addresses
    /// @param timeout of this and of each later call
    /// @throws VerbsException `ETIMEDOUT` if nobody comes in time, `EPROTO` if it is no program of this kind, or what the socket
    ///     says, `EADDRINUSE` as a rule
    public static SocketExchange accept(InetSocketAddress address, Duration timeout) {
        try (var listener = new ServerSocket()) {
            listener.setReuseAddress(true);
            listener.bind(address, 1);
            listener.setSoTimeout(SocketLines.milliseconds(timeout));
            return over(listener.accept(), timeout);
        } catch (SocketTimeoutException e) {
            throw failure("wait for a peer on " + address, Errno.ETIMEDOUT, "nobody connected in " + timeout, e);
        } catch (IOException e) {
            throw failure("wait for a peer on " + address, Errno.EADDRINUSE, String.valueOf(e.getMessage()), e);
        }
    }

    /// Connects to a peer, again and again if it does not listen yet.
    ///
    /// @param peer where it listens
    /// @param timeout of this and of each later call
    /// @throws VerbsException `ECONNREFUSED` if nobody listens in time, `EHOSTUNREACH` if the address is not reached, `EPROTO` if it
    ///     is no program of this kind
    public static SocketExchange connect(InetSocketAddress peer, Duration timeout) throws InterruptedException {
        long start = System.nanoTime();
        boolean refused = false;
        while (true) {
            long left = timeout.toNanos() - (System.nanoTime() - start);
            var socket = new Socket();
            try {
                socket.connect(peer, SocketLines.milliseconds(Duration.ofNanos(left)));
                return over(socket, timeout);
            } catch (ConnectException e) {
                SocketLines.closeQuietly(socket);
                if (left <= 0) {
                    throw nobodyListens(peer, e);
                }
                refused = true;
                Thread.sleep(RETRY_MILLISECONDS);
            } catch (IOException e) {
                SocketLines.closeQuietly(socket);
                if (refused && e instanceof SocketTimeoutException) { // the last attempt, for which no time was left
                    throw nobodyListens(peer, e);
                }
                throw failure("connect to " + peer, Errno.EHOSTUNREACH, String.valueOf(e.getMessage()), e);
            }
        }
    }

    private static VerbsException nobodyListens(InetSocketAddress peer, IOException e) {
        return failure("connect to " + peer, Errno.ECONNREFUSED, "nobody listens; start the peer's program", e);
    }

    /// Uses a socket that is connected, and closes it in the end.
    ///
    /// @param timeout of each call
    /// @throws VerbsException `EPROTO` if the peer is no program of this kind
    public static SocketExchange over(Socket socket, Duration timeout) {
        return new SocketExchange(socket, timeout);
    }

    /// Exchanges endpoints, connects the queue pair, and waits until the peer has done so: from then on both ends may send.
    ///
    /// @param prepared receives posted before cannot come too late
    /// @return the connected queue pair
    public QueuePair connect(PreparedQueuePair prepared) {
        QueuePair connected = prepared.connect(swap(prepared.endpoint()));
        ready();
        return connected;
    }

    /// Exchanges endpoints.
    ///
    /// @return the peer's
    public QueuePairEndpoint swap(QueuePairEndpoint own) {
        return swap("endpoint", own.toString(), QueuePairEndpoint::parse);
    }

    /// Exchanges one region each.
    ///
    /// @return the peer's
    public RemoteMemory swap(RemoteMemory own) {
        List<RemoteMemory> theirs = swap(List.of(own));
        if (theirs.size() != 1) {
            throw lines.misunderstood("offers " + theirs.size() + " regions where one is expected");
        }
        return theirs.getFirst();
    }

    /// Exchanges regions.
    ///
    /// @param own what this end offers, at most 256, possibly none
    /// @return what the peer offers, in its order
    public List<RemoteMemory> swap(List<RemoteMemory> own) {
        if (own.size() > MAX_REGIONS) {
            throw new IllegalArgumentException("at most " + MAX_REGIONS + " regions: own.size=" + own.size());
        }
        int count = swap("regions", Integer.toString(own.size()), SocketExchange::count);
        for (RemoteMemory region : own) {
            lines.write("region", region.toString());
        }
        lines.flush();
        var theirs = new ArrayList<RemoteMemory>();
        for (int i = 0; i < count; i++) {
            theirs.add(lines.read("region", RemoteMemory::parse));
        }
        return List.copyOf(theirs);
    }

    private static int count(String text) {
        int count = Integer.parseInt(text);
        if (count < 0 || count > MAX_REGIONS) {
            throw new IllegalArgumentException("at most " + MAX_REGIONS + " regions");
        }
        return count;
    }

    /// Waits until the peer calls this, too. What the peer has done before is done when this returns: a completed RDMA write is
    /// in this end's memory, and a queue pair that was connected takes what is sent.
    public void ready() {
        swap("ready", "", text -> text);
    }

    private <T> T swap(String word, String text, Function<String, T> parser) {
        lines.write(word, text);
        lines.flush();
        return lines.read(word, parser);
    }

    private static VerbsException failure(String operation, int errno, String detail, IOException cause) {
        var failure = new VerbsException(operation, errno, detail);
        failure.initCause(cause);
        return failure;
    }

    /// Closes the socket. Queue pairs that were connected stay so.
    @Override
    public void close() {
        lines.close();
    }
}
