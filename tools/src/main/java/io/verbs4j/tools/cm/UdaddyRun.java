// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.cm;

import io.verbs4j.AddressHandle;
import io.verbs4j.Context;
import io.verbs4j.cm.CmEvent;
import io.verbs4j.cm.Identifier;
import io.verbs4j.tools.common.ToolException;
import io.verbs4j.types.ConnectionParameters;
import io.verbs4j.types.DatagramPath;
import io.verbs4j.types.PortAttributes;
import io.verbs4j.types.PortSpace;
import io.verbs4j.types.QueuePairAttribute;
import java.util.HashMap;
import java.util.Map;

/// Runs udaddy: the client requests several datagram destinations, and sends its messages there. The server sends as
/// many back to the queue pair in each message.
final class UdaddyRun extends TestRun {
    private final Map<TestNode, DatagramPath> paths = new HashMap<>();

    UdaddyRun(TestOptions options, int port, Console console) {
        super("udaddy", PortSpace.UDP, options, port, console);
    }

    @Override
    void serve() throws InterruptedException {
        take(() -> nodes.size() == options.connections);
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
        awaitSends();
        console.print("data transfers complete");
    }

    @Override
    void connect() throws InterruptedException {
        take(() -> paths.size() == options.connections);
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

    @Override
    void on(CmEvent event) {
        if (event instanceof CmEvent.DatagramsEstablished established
                && established.identifier().attachment() instanceof TestNode node) {
            paths.put(node, established.path());
        }
    }

    @Override
    void request(TestNode node) {
        node.identifier().connect(ConnectionParameters.DEFAULT);
    }

    @Override
    void accept(CmEvent.ConnectRequest request) {
        TestNode node = create(request.incoming());
        request.incoming()
                .accept(ConnectionParameters.DEFAULT.withQueuePairNumber(node.queuePair().number()));
    }

    @Override
    void check(Identifier identifier, Context context) {
        PortAttributes attributes = context.port(identifier.addresses().port());
        if (options.count() > 0 && options.bytes > attributes.activeMtu().bytes()) {
            throw new ToolException(
                    "a datagram of " + options.bytes + " bytes is larger than the active MTU of "
                            + attributes.activeMtu().bytes(),
                    "set a smaller size with -S");
        }
    }
}
