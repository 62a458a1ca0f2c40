// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.cm;

import io.verbs4j.cm.CmEvent;
import io.verbs4j.cm.EventChannel;
import io.verbs4j.cm.Identifier;
import io.verbs4j.tools.cm.CmtimeTimes.Step;
import io.verbs4j.tools.common.ToolException;
import io.verbs4j.types.ConnectionParameters;
import io.verbs4j.types.PortSpace;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/// Connects and disconnects many connections, step by step for all of them, and measures the times.
final class CmtimeClient implements AutoCloseable {
    private static final int TIMEOUT_SECONDS = 120;

    private final InetSocketAddress server;
    private final @Nullable InetSocketAddress own;
    private final Duration timeout;
    private final int retries;
    private final EventChannel channel = EventChannel.open();
    private final CmtimePairs pairs = new CmtimePairs();
    /// Connections that have not finished the current step. The last one wakes the waiting thread.
    private volatile CountDownLatch left = new CountDownLatch(0);
    private volatile @Nullable RuntimeException failure;
    private CmtimePairs.@Nullable Shared shared;

    CmtimeClient(InetSocketAddress server, @Nullable InetSocketAddress own, Duration timeout, int retries) {
        this.server = server;
        this.own = own;
        this.timeout = timeout;
        this.retries = retries;
        Thread.ofPlatform().daemon().name("cmtime events").start(this::takeEvents);
    }

    /// One connection.
    private static final class Node {
        final int index;
        final Identifier identifier;
        final CmtimeTimes times;
        int retries;
        CmtimePairs.@Nullable Pair pair;

        Node(int index, Identifier identifier, CmtimeTimes times, int retries) {
            this.index = index;
            this.identifier = identifier;
            this.times = times;
            this.retries = retries;
        }

        boolean mayRetry() {
            return retries-- > 0;
        }

        CmtimePairs.Pair pair() {
            CmtimePairs.Pair made = pair;
            if (made == null) {
                throw new IllegalStateException("connection " + index + " has no queue pair");
            }
            return made;
        }
    }

    /// Runs all steps.
    ///
    /// @return the times
    CmtimeTimes run(int connections, Console console) throws InterruptedException {
        var times = new CmtimeTimes(connections);
        var nodes = new Node[connections];
        phase(console, "creating id", Step.CREATE_ID, times, connections, false, i -> {
            nodes[i] = new Node(i, channel.create(PortSpace.TCP), times, retries);
            nodes[i].identifier.attach(nodes[i]);
        });
        if (own != null) {
            phase(console, "binding source address", Step.BIND, times, connections, false,
                    i -> nodes[i].identifier.bind(own));
        }
        phase(console, "resolving address", Step.RESOLVE_ADDRESS, times, connections, true,
                i -> resolveAddress(nodes[i]));
        phase(console, "resolving route", Step.RESOLVE_ROUTE, times, connections, true,
                i -> nodes[i].identifier.resolveRoute(timeout));
        phase(console, "creating qp", Step.CREATE_QP, times, connections, false,
                i -> nodes[i].pair = createPair(nodes[i].identifier));
        phase(console, "connecting", Step.CONNECT, times, connections, true, i -> connect(nodes[i]));
        phase(console, "disconnecting", Step.DISCONNECT, times, connections, true, i -> {
            nodes[i].pair().stop();
            nodes[i].identifier.disconnect();
            nodes[i].pair().close();
        });
        phase(console, "destroying id", Step.DESTROY, times, connections, false, i -> nodes[i].identifier.close());
        return times;
    }

    /// @param byEvent whether an event ends the step of a connection
    private void phase(
            Console console,
            String text,
            Step step,
            CmtimeTimes times,
            int connections,
            boolean byEvent,
            IntConsumer action)
            throws InterruptedException {
        console.print(text);
        left = new CountDownLatch(connections);
        times.begin(step);
        for (int i = 0; i < connections; i++) {
            times.begin(step, i);
            action.accept(i);
            if (!byEvent) {
                times.end(step, i);
            }
        }
        if (byEvent && failure == null && !left.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
            throw new ToolException(text + " did not finish within " + TIMEOUT_SECONDS + " s");
        }
        times.end(step);
        RuntimeException reported = failure;
        if (reported != null) {
            throw reported;
        }
    }

    /// All connections have the same source and destination, so they use one device.
    private CmtimePairs.Pair createPair(Identifier identifier) {
        CmtimePairs.Shared known = shared;
        if (known == null) {
            known = pairs.shared(identifier);
            shared = known;
        }
        return CmtimePairs.create(identifier, known);
    }

    private void resolveAddress(Node node) {
        node.identifier.resolveAddress(own, server, timeout);
    }

    private void connect(Node node) {
        node.identifier.connect(ConnectionParameters.DEFAULT
                .withQueuePairNumber(node.pair().number())
                .withRetries(Math.min(retries, 7), 0));
    }

    private void takeEvents() {
        try {
            while (!channel.isClosed()) {
                channel.await().ifPresent(this::on);
            }
        } catch (IllegalStateException | InterruptedException e) {
            if (!channel.isClosed()) {
                fail(new ToolException("no more events: " + e.getMessage()));
            }
        } catch (RuntimeException e) {
            fail(e);
        }
    }

    /// Reports a failure to the waiting thread at once.
    private void fail(RuntimeException e) {
        failure = e;
        for (CountDownLatch waited = left; waited.getCount() > 0;) {
            waited.countDown();
        }
    }

    private void on(CmEvent event) {
        if (!(event.identifier().attachment() instanceof Node node)) {
            return;
        }
        switch (event) {
            case CmEvent.AddressFailed _ when node.mayRetry() -> resolveAddress(node);
            case CmEvent.RouteFailed _ when node.mayRetry() -> node.identifier.resolveRoute(timeout);
            case CmEvent.AddressResolved _ -> ended(node, Step.RESOLVE_ADDRESS);
            case CmEvent.RouteResolved _ -> ended(node, Step.RESOLVE_ROUTE);
            case CmEvent.ConnectResponse _ -> {
                node.pair().toReadyToSend();
                node.identifier.confirm();
                ended(node, Step.CONNECT);
            }
            case CmEvent.Established _ -> ended(node, Step.CONNECT);
            case CmEvent.Disconnected _ -> ended(node, Step.DISCONNECT);
            default -> CmFailure.check(event);
        }
    }

    private void ended(Node node, Step step) {
        node.times.end(step, node.index);
        left.countDown();
    }

    @Override
    public void close() {
        channel.close();
        pairs.close();
    }
}
