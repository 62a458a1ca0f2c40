// SPDX-License-Identifier: Apache-2.0
package org.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.verbs4j.Context;
import io.verbs4j.cm.ConnectionOptions;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.cm.RdmaServer;
import io.verbs4j.simulator.SimulatedDevice;
import io.verbs4j.simulator.junit.SimulatedRdma;
import java.net.InetSocketAddress;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@SimulatedRdma(loss = 0.2, seed = 7)
class TransferTest {
    private static final InetSocketAddress ADDRESS = new InetSocketAddress("10.9.0.2", 7471);
    private static final ConnectionOptions OPTIONS = ConnectionOptions.defaults().withMessages(16, 64);

    @Test
    void connectsByAddress(SimulatedDevice client, SimulatedDevice server) throws Exception {
        try (var listening = RdmaServer.listen(ADDRESS, OPTIONS)) {
            var received = new FutureTask<>(() -> {
                try (var accepted = listening.accept()) {
                    var last = "";
                    for (int i = 0; i < 20; i++) {
                        last = accepted.messages().receiveText();
                    }
                    return last;
                }
            });
            Thread.ofVirtual().start(received);
            try (var connection = RdmaConnection.connect(ADDRESS, OPTIONS)) {
                for (int i = 0; i < 20; i++) {
                    connection.messages().send("message " + i);
                }
                assertEquals("message 19", received.get());
            }
        }
        assertTrue(client.lost() + server.lost() > 0);
    }

    @Nested
    class Inside {
        @Test
        void opensDevices(Context client, Context server) {
            assertNotEquals(client.device().name(), server.device().name());
        }
    }
}
