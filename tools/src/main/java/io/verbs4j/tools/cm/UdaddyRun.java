// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.cm;

import io.verbs4j.AddressHandle;
import io.verbs4j.cm.AddressResolution;
import io.verbs4j.cm.CmEvent;
import io.verbs4j.cm.EventChannel;
import io.verbs4j.cm.Identifier;
import io.verbs4j.tools.common.Hosts;
import io.verbs4j.tools.common.Listening;
import io.verbs4j.tools.common.ToolException;
import io.verbs4j.types.ConnectionParameters;
import io.verbs4j.types.DatagramPath;
import io.verbs4j.types.PortAttributes;
import io.verbs4j.types.PortSpace;
import io.verbs4j.types.PrivateData;
import io.verbs4j.types.QueuePairAttribute;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Runs udaddy: the client requests several datagram destinations, and sends its messages there. The server sends as
/// many back to the queue pair in each message.
final class UdaddyRun implements AutoCloseable {
    private static final Duration RESOLVE = Duration.ofSeconds(2);
    private static final Duration LONG = Duration.ofDays(1);

    private final TestOptions options;
    private final int port;
    private final Console console;
    private final Contexts contexts = new Contexts();
    private final EventChannel channel = EventChannel.open();
    private final List<TestNode> nodes = new ArrayList<>();
    private final Map<TestNode, DatagramPath> paths = new HashMap<>();

    UdaddyRun(TestOptions options, int port, Console console) {
        this.options = options;
        this.port = port;
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
        console.print("udaddy: starting server");
        Identifier listener = channel.create(PortSpace.UDP);
        listener.bind(Hosts.resolve(options.own, port));
        listener.listen(0);
        Listening.begins();
        while (nodes.size() < options.connections) {
            channel.await(LONG).ifPresent(this::on);
        }
        if (options.count() == 0) {
            return;
        }
        console.print("receiving data transfers");
        awaitReceives();
        console.print("sending replies");
        for (TestNode node : nodes) {
            AddressHandle back = node.pathBack(node.identifier().addresses().port());
            int qkey = node.queuePair().query(QueuePairAttribute.QKEY).qkey();
            node.postSends(node.datagram(back, node.sourceQueuePair(), qkey));
        }
        for (TestNode node : nodes) {
            node.awaitSends();
        }
        console.print("data transfers complete");
    }

    private void connect(String server) throws InterruptedException {
        console.print("udaddy: starting client");
        InetSocketAddress address = Hosts.resolve(server, port);
        InetSocketAddress own = options.own == null ? null : Hosts.resolve(options.own, 0);
        console.print("udaddy: connecting");
        for (int i = 0; i < options.connections; i++) {
            Identifier identifier = channel.create(PortSpace.UDP);
            identifier.attach(AddressResolution.begin(identifier, own, address, RESOLVE));
        }
        while (paths.size() < options.connections) {
            channel.await(LONG).ifPresent(this::on);
        }
        if (options.count() == 0) {
            return;
        }
        console.print("initiating data transfers");
        paths.forEach((node, path) -> {
            AddressHandle handle = node.domain().createAddressHandle(path.path());
            node.postSends(node.datagram(handle, path.queuePairNumber(), path.qkey()));
        });
        console.print("receiving data transfers");
        awaitReceives();
        console.print("data transfers complete");
    }

    private void awaitReceives() throws InterruptedException {
        for (TestNode node : nodes) {
            node.awaitReceives();
        }
    }

    private void on(CmEvent event) {
        if (event.identifier().attachment() instanceof AddressResolution resolution && resolution.retry(event)) {
            return;
        }
        CmFailure.check(event);
        switch (event) {
            case CmEvent.AddressResolved(Identifier identifier) -> {
                if (options.typeOfService != null) {
                    identifier.setTypeOfService(options.typeOfService);
                }
                identifier.resolveRoute(RESOLVE);
            }
            case CmEvent.RouteResolved(Identifier identifier) -> {
                create(identifier);
                identifier.connect(ConnectionParameters.DEFAULT);
            }
            case CmEvent.ConnectRequest request -> answer(request.incoming());
            case CmEvent.DatagramsEstablished established -> {
                if (established.identifier().attachment() instanceof TestNode node) {
                    paths.put(node, established.path());
                }
            }
            default -> {
                // Irrelevant here.
            }
        }
    }

    private void answer(Identifier incoming) {
        if (nodes.size() == options.connections) {
            incoming.reject(PrivateData.NONE);
            incoming.close();
            return;
        }
        TestNode node = create(incoming);
        incoming.accept(ConnectionParameters.DEFAULT.withQueuePairNumber(node.queuePair().number()));
    }

    private TestNode create(Identifier identifier) {
        var context = contexts.of(identifier);
        PortAttributes attributes = context.port(identifier.addresses().port());
        if (options.count() > 0 && options.bytes > attributes.activeMtu().bytes()) {
            throw new ToolException(
                    "a datagram of " + options.bytes + " bytes is larger than the active MTU of "
                            + attributes.activeMtu().bytes(),
                    "set a smaller size with -S");
        }
        var node = new TestNode(identifier, context, options.count(), options.bytes);
        identifier.attach(node);
        nodes.add(node);
        node.postReceives();
        return node;
    }

    @Override
    public void close() {
        contexts.close();
        channel.close();
    }
}
