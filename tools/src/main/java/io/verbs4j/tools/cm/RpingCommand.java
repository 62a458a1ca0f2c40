// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.cm;

import io.verbs4j.cm.ConnectionOptions;
import io.verbs4j.cm.IncomingConnection;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.cm.RdmaServer;
import io.verbs4j.tools.common.CNumber;
import io.verbs4j.tools.common.Hosts;
import io.verbs4j.tools.common.Listening;
import io.verbs4j.tools.common.ToolException;
import io.verbs4j.tools.pingpong.PingPongOptions;
import io.verbs4j.types.VerbsException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `verbs rping`.
@Command(
        name = "rping",
        header = "Connect by IP address and exchange data by RDMA reads and writes.",
        description = {
                "%nCompatible with rping of librdmacm. The client offers two buffers. The server reads the first"
                        + " buffer and writes the data into the second buffer. Both sides need the same -S.%n"
        },
        footer = {"%nExample:", "  verbs rping -s -a 10.9.0.2 -v -C 5", "  verbs rping -c -a 10.9.0.2 -v -C 5"})
public final class RpingCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    /// The side.
    static final class Side {
        @Option(names = "-s", description = "Run as the server.") private boolean server;

        @Option(names = "-c", description = "Run as the client.") private boolean client;
    }

    @ArgGroup(multiplicity = "1")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Side side;

    @Option(
            names = "-a",
            paramLabel = "<address>",
            description = "The server's address (default of a server: any IPv4 address).") private @Nullable String address;

    @Option(names = "-I", paramLabel = "<address>",
            description = "The client's local address (default: determined by the route).") private @Nullable String source;

    @Option(names = "-p", paramLabel = "<port>", converter = PingPongOptions.TcpPort.class,
            description = "The port (default: 7174).") private int port = 7174;

    @Option(names = "-C", paramLabel = "<count>", converter = CNumber.NotNegative.class,
            description = "Number of exchanges (default: until interrupted).") private int count;

    @Option(names = "-S", paramLabel = "<bytes>", converter = Bytes.class,
            description = "Bytes of each exchange, 32 to 65536 (default: 64).") private int bytes = 64;

    @Option(names = "-v", description = "Show the data.") private boolean verbose;

    @Option(names = "-V", description = "Compare the returned data with the sent data.") private boolean validate;

    @Option(names = "-P",
            description = "Serve clients one after another, until interrupted.") private boolean persistent;

    /// 32 to 65536.
    static final class Bytes extends CNumber {
        Bytes() {
            super(32, 64 * 1024);
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        if (side.client) {
            connect();
        }
        if (side.server) {
            serve();
        }
        return 0;
    }

    private void connect() throws InterruptedException {
        if (address == null) {
            throw new ToolException("-c needs the server's address: -a");
        }
        var peers = new RpingPeers(bytes);
        ConnectionOptions options = options(peers);
        if (source != null) {
            options = options.withSource(Hosts.resolve(source, 0));
        }
        try (RdmaConnection connection = RdmaConnection.connect(Hosts.resolve(address, port), options)) {
            peers.of(connection).client(count, validate, verbose ? this::print : line -> {});
        }
    }

    private void serve() throws InterruptedException {
        var peers = new RpingPeers(bytes);
        try (RdmaServer server = RdmaServer.listen(Hosts.resolve(address, port), options(peers))) {
            Listening.begins();
            do {
                IncomingConnection request = server.next();
                try (RdmaConnection connection = request.accept()) {
                    peers.of(connection).server(verbose ? this::print : line -> {});
                } catch (VerbsException | ToolException e) {
                    if (!persistent) {
                        throw e;
                    }
                    spec.commandLine().getErr().println(e.getMessage()); // the next client may succeed
                }
            } while (persistent);
        }
    }

    private static ConnectionOptions options(RpingPeers peers) {
        return ConnectionOptions.defaults()
                .withTimeout(Duration.ofSeconds(30))
                .withReadAtomic(1)
                .withPreparation(peers::prepare);
    }

    private void print(String line) {
        new Console(spec.commandLine().getOut()).print(line);
    }

    /// The peers of connections. A peer is added as soon as its queue pair accepts receives.
    private static final class RpingPeers {
        private final int bytes;
        private final Map<RdmaConnection, RpingPeer> peers = new HashMap<>();

        RpingPeers(int bytes) {
            this.bytes = bytes;
        }

        /// Prepares a connection that is being established.
        void prepare(RdmaConnection connection) {
            peers.put(connection, new RpingPeer(connection, bytes));
        }

        /// Returns and removes the peer of an established connection.
        RpingPeer of(RdmaConnection connection) {
            RpingPeer peer = peers.remove(connection);
            peers.clear();
            if (peer == null) {
                throw new IllegalStateException(connection + " was not prepared");
            }
            return peer;
        }
    }
}
