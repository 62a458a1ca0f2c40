// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.cm;

import io.verbs4j.cm.AddressResolution;
import io.verbs4j.cm.CmEvent;
import io.verbs4j.cm.EventChannel;
import io.verbs4j.cm.Identifier;
import io.verbs4j.tools.common.Hosts;
import io.verbs4j.tools.common.Listening;
import io.verbs4j.types.ConnectionParameters;
import io.verbs4j.types.PortSpace;
import io.verbs4j.types.PrivateData;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Runs ucmatose: the client connects several times, the server sends its messages on all connections, the client sends
/// as many back, and the server ends the connections.
final class UcmatoseRun implements AutoCloseable {
    private static final Duration RESOLVE = Duration.ofSeconds(2);
    private static final Duration LONG = Duration.ofDays(1);
    private static final int RETRIES = 5;

    private final TestOptions options;
    private final int port;
    private final @Nullable Integer acknowledgeTimeout;
    private final boolean migrating;
    private final Console console;
    private final Contexts contexts = new Contexts();
    private final List<Identifier> identifiers = new ArrayList<>();
    private final List<TestNode> nodes = new ArrayList<>();
    private EventChannel channel = EventChannel.open();
    private int connected;
    private int disconnected;

    UcmatoseRun(
            TestOptions options, int port, @Nullable Integer acknowledgeTimeout, boolean migrating, Console console) {
        this.options = options;
        this.port = port;
        this.acknowledgeTimeout = acknowledgeTimeout;
        this.migrating = migrating;
        this.console = console;
    }

    void run() throws InterruptedException {
        if (options.server == null) {
            serve();
        } else {
            connect(options.server);
        }
        console.print("test complete");
    }

    private void serve() throws InterruptedException {
        console.print("cmatose: starting server");
        Identifier listener = channel.create(PortSpace.TCP);
        identifiers.add(listener);
        listener.bind(Hosts.resolve(options.own, port));
        listener.listen(0);
        Listening.begins();
        take(() -> connected == options.connections);
        if (options.count() > 0) {
            console.print("initiating data transfers");
            nodes.forEach(node -> node.postSends(node.message()));
            console.print("completing sends");
            for (TestNode node : nodes) {
                node.awaitSends();
            }
            console.print("receiving data transfers");
            awaitReceives();
            console.print("data transfers complete");
        }
        migrate();
        console.print("cmatose: disconnecting");
        nodes.forEach(TestNode::disconnect);
        take(() -> disconnected == nodes.size());
        console.print("disconnected");
    }

    private void connect(String server) throws InterruptedException {
        console.print("cmatose: starting client");
        InetSocketAddress address = Hosts.resolve(server, port);
        InetSocketAddress own = options.own == null ? null : Hosts.resolve(options.own, 0);
        console.print("cmatose: connecting");
        for (int i = 0; i < options.connections; i++) {
            Identifier identifier = channel.create(PortSpace.TCP);
            identifiers.add(identifier);
            identifier.attach(AddressResolution.begin(identifier, own, address, RESOLVE));
        }
        take(() -> connected == options.connections);
        if (options.count() > 0) {
            console.print("receiving data transfers");
            awaitReceives();
            console.print("sending replies");
            nodes.forEach(node -> node.postSends(node.message()));
            console.print("data transfers complete");
        }
        migrate();
        take(() -> disconnected == nodes.size());
    }

    private void awaitReceives() throws InterruptedException {
        for (TestNode node : nodes) {
            node.awaitReceives();
        }
    }

    private void migrate() {
        if (migrating) {
            console.print("migrating to new event channel");
            EventChannel next = EventChannel.open();
            identifiers.forEach(identifier -> identifier.migrate(next));
            channel.close();
            channel = next;
        }
    }

    private void take(BooleanSupplier done) throws InterruptedException {
        while (!done.getAsBoolean()) {
            channel.await(LONG).ifPresent(this::on);
        }
    }

    private void on(CmEvent event) {
        if (event.identifier().attachment() instanceof AddressResolution resolution && resolution.retry(event)) {
            return;
        }
        CmFailure.check(event);
        switch (event) {
            case CmEvent.AddressResolved(Identifier identifier) -> {
                setOptions(identifier, options.typeOfService);
                identifier.resolveRoute(RESOLVE);
            }
            case CmEvent.RouteResolved(Identifier identifier) -> request(identifier);
            case CmEvent.ConnectRequest request -> accept(request);
            case CmEvent.ConnectResponse response -> {
                node(response.identifier()).toReadyToSend();
                response.identifier().confirm();
                connected++;
            }
            case CmEvent.Established _ -> connected++;
            case CmEvent.Disconnected ended -> {
                node(ended.identifier()).disconnect();
                disconnected++;
            }
            default -> {
                // Irrelevant here, such as the end of time-wait.
            }
        }
    }

    private void setOptions(Identifier identifier, @Nullable Integer typeOfService) {
        if (typeOfService != null) {
            identifier.setTypeOfService(typeOfService);
        }
        if (acknowledgeTimeout != null) {
            identifier.setAcknowledgeTimeout(acknowledgeTimeout);
        }
    }

    private static TestNode node(Identifier identifier) {
        if (identifier.attachment() instanceof TestNode node) {
            return node;
        }
        throw new IllegalStateException(identifier + " has no queue pair");
    }

    private TestNode create(Identifier identifier) {
        var node = new TestNode(identifier, contexts.of(identifier), options.count(), options.bytes);
        identifier.attach(node);
        nodes.add(node);
        node.postReceives();
        return node;
    }

    private void request(Identifier identifier) {
        TestNode node = create(identifier);
        identifier.connect(ConnectionParameters.DEFAULT
                .withQueuePairNumber(node.queuePair().number())
                .withRetries(RETRIES, 0));
    }

    private void accept(CmEvent.ConnectRequest request) {
        Identifier incoming = request.incoming();
        if (nodes.size() == options.connections) {
            incoming.reject(PrivateData.NONE);
            incoming.close();
            return;
        }
        identifiers.add(incoming);
        setOptions(incoming, null);
        TestNode node = create(incoming);
        node.toReadyToSend();
        incoming.accept(request.parameters()
                .withQueuePairNumber(node.queuePair().number())
                .withPrivateData(PrivateData.NONE));
    }

    @Override
    public void close() {
        contexts.close();
        channel.close();
    }
}
