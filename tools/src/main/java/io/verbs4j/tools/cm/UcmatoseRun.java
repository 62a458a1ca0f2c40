// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.cm;

import io.verbs4j.cm.CmEvent;
import io.verbs4j.cm.EventChannel;
import io.verbs4j.cm.Identifier;
import io.verbs4j.types.ConnectionParameters;
import io.verbs4j.types.PortSpace;
import io.verbs4j.types.PrivateData;
import org.jspecify.annotations.Nullable;

/// Runs ucmatose: the client connects several times, the server sends its messages on all connections, the client sends
/// as many back, and the server ends the connections.
final class UcmatoseRun extends TestRun {
    private static final int RETRIES = 5;

    private final @Nullable Integer acknowledgeTimeout;
    private final boolean migrating;
    private int connected;
    private int disconnected;

    UcmatoseRun(
            TestOptions options, int port, @Nullable Integer acknowledgeTimeout, boolean migrating, Console console) {
        super("cmatose", PortSpace.TCP, options, port, console);
        this.acknowledgeTimeout = acknowledgeTimeout;
        this.migrating = migrating;
    }

    @Override
    void serve() throws InterruptedException {
        take(() -> connected == options.connections);
        if (options.count() > 0) {
            console.print("initiating data transfers");
            nodes.forEach(node -> node.postSends(node.message()));
            console.print("completing sends");
            awaitSends();
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

    @Override
    void connect() throws InterruptedException {
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

    private void migrate() {
        if (migrating) {
            console.print("migrating to new event channel");
            EventChannel next = EventChannel.open();
            identifiers.forEach(identifier -> identifier.migrate(next));
            channel.close();
            channel = next;
        }
    }

    @Override
    void on(CmEvent event) {
        switch (event) {
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

    @Override
    void configure(Identifier identifier, @Nullable Integer typeOfService) {
        super.configure(identifier, typeOfService);
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

    @Override
    void request(TestNode node) {
        node.identifier()
                .connect(ConnectionParameters.DEFAULT
                        .withQueuePairNumber(node.queuePair().number())
                        .withRetries(RETRIES, 0));
    }

    @Override
    void accept(CmEvent.ConnectRequest request) {
        TestNode node = create(request.incoming());
        node.toReadyToSend();
        request.incoming()
                .accept(request.parameters()
                        .withQueuePairNumber(node.queuePair().number())
                        .withPrivateData(PrivateData.NONE));
    }
}
