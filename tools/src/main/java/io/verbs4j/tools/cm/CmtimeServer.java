// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.cm;

import io.verbs4j.cm.CmEvent;
import io.verbs4j.cm.EventChannel;
import io.verbs4j.cm.Identifier;
import io.verbs4j.tools.common.Listening;
import io.verbs4j.types.PortSpace;
import io.verbs4j.types.PrivateData;
import io.verbs4j.types.VerbsException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/// Accepts and ends connections sequentially, because a thread for each would spend more time on waking the next.
final class CmtimeServer implements AutoCloseable {
    private final EventChannel channel = EventChannel.open();
    private final CmtimePairs pairs = new CmtimePairs();

    /// @param connections number of connections to serve, including those that the client gave up; 0 for no limit
    void run(InetSocketAddress address, int connections) throws InterruptedException {
        Identifier listener = channel.create(PortSpace.TCP);
        listener.bind(address);
        listener.listen(0);
        Listening.begins();
        CmtimePairs.Shared device = address.getAddress().isAnyLocalAddress() ? null : pairs.shared(listener);
        int ended = 0;
        while (connections == 0 || ended < connections) {
            CmEvent event = channel.await().orElse(null);
            if (event instanceof CmEvent.ConnectRequest request) {
                ended += accept(request, device) ? 0 : 1;
            } else if (event != null && isEnd(event)) {
                end(event.identifier());
                ended++;
            }
        }
    }

    private static boolean isEnd(CmEvent event) {
        return event instanceof CmEvent.Disconnected
                || event instanceof CmEvent.Rejected
                || event instanceof CmEvent.Unreachable
                || event instanceof CmEvent.ConnectFailed;
    }

    /// @param device the device of all requests; null if the listener uses all devices
    /// @return false if the peer gave up
    private boolean accept(CmEvent.ConnectRequest request, CmtimePairs.@Nullable Shared device) {
        Identifier incoming = request.incoming();
        try {
            CmtimePairs.Pair pair = CmtimePairs.create(incoming, device == null ? pairs.shared(incoming) : device);
            incoming.attach(pair);
            pair.toReadyToSend();
            incoming.accept(request.parameters()
                    .withQueuePairNumber(pair.number())
                    .withPrivateData(PrivateData.NONE));
            return true;
        } catch (VerbsException e) {
            // The peer gave up. Other connections are not affected.
            if (incoming.attachment() instanceof CmtimePairs.Pair pair) {
                pair.close();
            }
            incoming.close();
            return false;
        }
    }

    private static void end(Identifier identifier) {
        if (identifier.attachment() instanceof CmtimePairs.Pair pair) {
            try (identifier; pair) {
                pair.stop();
                identifier.disconnect();
            } catch (VerbsException e) {
                // Already ended. Other connections are not affected.
            }
        }
    }

    @Override
    public void close() {
        pairs.close();
        channel.close();
    }
}
