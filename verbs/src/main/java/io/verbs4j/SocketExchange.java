// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.abi.device.Deadline;
import io.verbs4j.abi.failure.Rollback;
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

/// Exchanges endpoints, memory regions and readiness over a TCP socket, so that two programs can connect their queue
/// pairs. Use this class if the kernel's connection manager is not available. With the connection manager, `RdmaServer`
/// and `RdmaConnection` of the module `io.verbs4j.cm` need less code.
///
/// Both ends must call the same methods in the same order. Each call sends this end's data and waits for the peer's.
///
/// The peer is not trusted. Lines are short, lists are bounded, and the timeout limits the wait for each line. A call
/// throws [VerbsException]: `EPROTO` if the peer sends anything unexpected, `ETIMEDOUT` after the timeout, `ECONNRESET`
/// if the connection breaks. There is neither encryption nor authentication.
///
/// Only one thread at a time may use an exchange. Any thread may close it; a waiting call then fails.
public final class SocketExchange implements AutoCloseable {
    /// Maximum number of regions that one end can offer in one call.
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
                    throw new IllegalArgumentException("this end has version " + VERSION);
                }
                return version;
            });
        } catch (RuntimeException | Error e) {
            lines.close();
            throw e;
        }
    }

    /// Waits for one peer to connect, and then stops listening.
    ///
    /// @param address the address to listen on; a wildcard for all addresses
    /// @param timeout the longest wait for the peer to connect, and for each line from the peer
    /// @throws VerbsException `ETIMEDOUT` if no peer connects in time; `EPROTO` if the peer does not use
    ///     `SocketExchange`; `EADDRINUSE` if listening fails for any reason; the message contains the reason
    public static SocketExchange accept(InetSocketAddress address, Duration timeout) {
        try (var listener = new ServerSocket()) {
            listener.setReuseAddress(true);
            listener.bind(address, 1);
            listener.setSoTimeout(SocketLines.milliseconds(timeout));
            return over(listener.accept(), timeout);
        } catch (SocketTimeoutException e) {
            throw failure("wait for a peer on " + address, Errno.ETIMEDOUT, "no peer connected within " + timeout, e);
        } catch (IOException e) {
            throw failure("wait for a peer on " + address, Errno.EADDRINUSE, String.valueOf(e.getMessage()), e);
        }
    }

    /// Connects to a peer. Retries if the peer does not listen yet.
    ///
    /// @param peer the address on which the peer listens
    /// @param timeout the longest wait for the peer to listen, and for each line from the peer
    /// @throws VerbsException `ECONNREFUSED` if the peer does not listen in time; `EHOSTUNREACH` after another failure
    ///     to connect; `EPROTO` if the peer does not use `SocketExchange`
    public static SocketExchange connect(InetSocketAddress peer, Duration timeout) throws InterruptedException {
        long deadline = Deadline.within(timeout);
        boolean refused = false;
        while (true) {
            long left = Deadline.left(deadline);
            var socket = new Socket();
            try {
                socket.connect(peer, SocketLines.milliseconds(Duration.ofNanos(left)));
                return over(socket, timeout);
            } catch (ConnectException e) {
                SocketLines.closeQuietly(socket);
                if (left == 0) {
                    throw noListener(peer, e);
                }
                refused = true;
                Thread.sleep(RETRY_MILLISECONDS);
            } catch (IOException e) {
                SocketLines.closeQuietly(socket);
                if (refused && e instanceof SocketTimeoutException) { // the last attempt, which had no time left
                    throw noListener(peer, e);
                }
                throw failure("connect to " + peer, Errno.EHOSTUNREACH, String.valueOf(e.getMessage()), e);
            }
        }
    }

    private static VerbsException noListener(InetSocketAddress peer, IOException e) {
        return failure("connect to " + peer, Errno.ECONNREFUSED, "no program listens there; start the peer's"
                + " program", e);
    }

    /// Uses a connected socket. [#close()] closes the socket, and so does a failure of this call.
    ///
    /// @param timeout the longest wait for each line from the peer
    /// @throws VerbsException `EPROTO` if the peer does not use `SocketExchange`
    public static SocketExchange over(Socket socket, Duration timeout) {
        return new SocketExchange(socket, timeout);
    }

    /// Exchanges endpoints, connects the queue pair, and waits until the peer is connected, too. After the call, both
    /// ends may send. If the call fails, it closes the queue pair.
    ///
    /// @param prepared the queue pair; receives that are posted before the call are certain to precede the peer's first
    ///     message
    /// @return the connected queue pair
    public QueuePair connect(PreparedQueuePair prepared) {
        try (var rollback = new Rollback()) {
            rollback.add(prepared::close);
            QueuePair connected =
                    rollback.make(() -> prepared.connect(swap(prepared.endpoint())), QueuePair::close);
            ready();
            rollback.keep();
            return connected;
        }
    }

    /// Exchanges endpoints.
    ///
    /// @return the peer's endpoint
    public QueuePairEndpoint swap(QueuePairEndpoint own) {
        return swap("endpoint", own.toString(), QueuePairEndpoint::parse);
    }

    /// Exchanges one region each.
    ///
    /// @return the peer's region
    public RemoteMemory swap(RemoteMemory own) {
        List<RemoteMemory> theirs = swap(List.of(own));
        if (theirs.size() != 1) {
            throw lines.misunderstood("offers " + theirs.size() + " regions where one is expected");
        }
        return theirs.getFirst();
    }

    /// Exchanges regions.
    ///
    /// @param own the regions that this end offers, at most 256, possibly none
    /// @return the regions that the peer offers, in its order
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

    /// Waits until the peer calls this method, too. When the method returns, everything that the peer did before its
    /// call is complete: the data of its completed RDMA writes is in this end's memory, and its connected queue pairs
    /// can receive.
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

    /// Closes the socket. Connected queue pairs stay connected.
    @Override
    public void close() {
        lines.close();
    }
}
