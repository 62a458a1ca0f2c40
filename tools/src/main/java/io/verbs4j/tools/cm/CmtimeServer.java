// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.cm;

import io.verbs4j.cm.CmEvent;
import io.verbs4j.cm.EventChannel;
import io.verbs4j.cm.Identifier;
import io.verbs4j.types.PortSpace;
import io.verbs4j.types.PrivateData;
import io.verbs4j.types.VerbsException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// Accepts connections and their ends.
final class CmtimeServer implements AutoCloseable {
    private static final Duration LONG = Duration.ofDays(1);

    private final EventChannel channel = EventChannel.open();
    private final CmtimePairs pairs = new CmtimePairs();
    private final ExecutorService requests = Executors.newSingleThreadExecutor();
    private final ExecutorService ends = Executors.newSingleThreadExecutor();

    /// @param connections how many to serve; 0 for without end
    void run(InetSocketAddress address, int connections) throws InterruptedException {
        Identifier listener = channel.create(PortSpace.TCP);
        listener.bind(address);
        listener.listen(0);
        int ended = 0;
        while (connections == 0 || ended < connections) {
            CmEvent event = channel.await(LONG).orElse(null);
            if (event instanceof CmEvent.ConnectRequest request) {
                requests.execute(() -> accept(request));
            } else if (event instanceof CmEvent.Disconnected disconnected) {
                ends.execute(() -> end(disconnected.identifier()));
                ended++;
            }
        }
    }

    private void accept(CmEvent.ConnectRequest request) {
        Identifier incoming = request.incoming();
        try {
            CmtimePairs.Pair pair = pairs.create(incoming);
            incoming.attach(pair);
            pair.toReadyToSend();
            incoming.accept(request.parameters()
                    .withQueuePairNumber(pair.number())
                    .withPrivateData(PrivateData.NONE));
        } catch (VerbsException e) {
            // The peer gave up: nothing but this connection is lost.
            if (incoming.attachment() instanceof CmtimePairs.Pair pair) {
                pair.close();
            }
            incoming.close();
        }
    }

    private static void end(Identifier identifier) {
        if (identifier.attachment() instanceof CmtimePairs.Pair pair) {
            pair.stop();
            identifier.disconnect();
            pair.close();
        }
        identifier.close();
    }

    @Override
    public void close() {
        requests.close();
        ends.close();
        pairs.close();
        channel.close();
    }
}
