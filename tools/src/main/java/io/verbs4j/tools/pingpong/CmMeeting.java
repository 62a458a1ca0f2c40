// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.tools.common.ToolException;
import io.verbs4j.tools.pairs.CmPairs;
import io.verbs4j.types.ConnectionAddresses;
import io.verbs4j.types.PortSpace;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Finds the peer by its IP address through the connection manager (option `-R`).
final class CmMeeting implements Meeting {
    /// Time that a server waits for its client.
    private static final Duration CLIENT_TIMEOUT = Duration.ofDays(365);

    private final PingPongOptions options;
    private final Console console;
    private final boolean datagrams;
    private final CmPairs pairs;

    private CmMeeting(PingPongOptions options, Console console, boolean datagrams) {
        this.options = options;
        this.console = console;
        this.datagrams = datagrams;
        this.pairs = CmPairs.open(datagrams ? PortSpace.UDP : PortSpace.TCP, options.host(), options.port());
    }

    /// Returns a meeting for reliable connections.
    static CmMeeting ofConnections(PingPongOptions options, Console console) {
        return new CmMeeting(options, console, false);
    }

    /// Returns a meeting for datagrams.
    static CmMeeting ofDatagrams(PingPongOptions options, Console console) {
        return new CmMeeting(options, console, true);
    }

    /// Opens the device that leads to the peer. The server waits for its client first.
    @Override
    public Context open() {
        Context context = pairs.device(options.device(), CLIENT_TIMEOUT);
        try {
            DeviceLimits.check(options, context);
            if (datagrams) {
                DeviceLimits.checkDatagram(options.size(), context, options.devicePort());
            }
            return context;
        } catch (RuntimeException | Error e) {
            context.close();
            throw e;
        }
    }

    @Override
    public Messages meet(ProtectionDomain domain, CompletionQueue queue, MemoryRegion memory) {
        if (!datagrams) {
            QueuePair pair = Meeting.sized(domain.reliableConnection(queue), options.receiveDepth()).create();
            connect(pair, () -> post(pair, memory));
            return new ConnectedMessages(pair, memory);
        }
        QueuePair pair = Meeting.sized(domain.datagram(queue), options.receiveDepth()).create();
        var path = pairs.exchange(pair, () -> post(pair, memory))
                .orElseThrow(() -> new ToolException(
                        "the peer did not announce its queue pair", "start it as 'verbs ud-pingpong -R'"));
        show(pair);
        return new DatagramMessages(
                pair, domain.createAddressHandle(path.path()), path.queuePairNumber(), path.qkey(), memory);
    }

    /// Connects a queue pair, and shows both ends.
    void connect(QueuePair pair, Runnable posting) {
        pairs.connect(pair, 0, posting);
        show(pair);
    }

    private void post(QueuePair pair, MemoryRegion memory) {
        try (var receives = pair.beginReceive()) {
            Messages.fill(receives, memory, options.receiveDepth());
        }
    }

    private void show(QueuePair pair) {
        ConnectionAddresses addresses = pairs.addresses(pair);
        console.print("  local address:  " + text(addresses.local()) + ", QPN 0x%06x".formatted(pair.number()));
        console.print("  remote address: " + text(addresses.peer()));
    }

    private static String text(@Nullable InetSocketAddress address) {
        return address == null ? "none" : address.getAddress().getHostAddress() + " port " + address.getPort();
    }

    /// Ends the connections.
    @Override
    public void close() {
        pairs.close();
    }
}
