// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.rsocket;

import io.verbs4j.cm.ConnectionOptions;
import io.verbs4j.cm.rsocket.RdmaServerSocket;
import io.verbs4j.cm.rsocket.RdmaSocket;
import io.verbs4j.cm.rsocket.RdmaSocketOptions;
import io.verbs4j.tools.Hosts;
import io.verbs4j.tools.ToolException;
import io.verbs4j.tools.pingpong.PingPongOptions;
import io.verbs4j.types.VerbsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `verbs rcopy`.
@Command(
        name = "rcopy",
        header = "Copy a file over a stream that speaks the protocol of rsockets.",
        description = {
                "%nDoes what rcopy of rdma-core does, and speaks with it. Without parameters it is the server, which takes files from"
                        + " whoever comes and writes them wherever its user may: let it run among friends only.%n"
        },
        footer = {"%nExample:", "  verbs rcopy", "  verbs rcopy measured.csv 10.9.0.2:/tmp/measured.csv"})
public final class RcopyCommand implements Callable<Integer> {
    private static final RdmaSocketOptions OPTIONS = RdmaSocketOptions.defaults()
            .withConnection(ConnectionOptions.defaults().withTimeout(Duration.ofSeconds(30)));

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Parameters(index = "0", arity = "0..1", paramLabel = "<source>",
            description = "The file to send.") private @Nullable Path source;

    @Parameters(index = "1", arity = "0..1", paramLabel = "<server>[:<destination>]",
            description = "Where it goes: the server's name or IPv4 address, and the file there (default: as the source).") private @Nullable String target;

    @Option(
            names = "-p",
            paramLabel = "<port>",
            defaultValue = "7427",
            converter = PingPongOptions.TcpPort.class,
            description = "The port (default: ${DEFAULT-VALUE}).") private int port;

    @Option(names = "--once", description = "A server ends after one client.") private boolean once;

    @Override
    public Integer call() throws InterruptedException, IOException {
        if (source == null) {
            serve();
            return 0;
        }
        if (target == null) {
            throw new ToolException("where shall " + source + " go", "name the server: rcopy " + source + " <server>");
        }
        if (!Files.isReadable(source) || Files.isDirectory(source)) {
            throw new ToolException(source + " is no file that can be read");
        }
        int colon = target.indexOf(':');
        String host = colon < 0 ? target : target.substring(0, colon);
        String path = colon < 0 ? source.toString() : target.substring(colon + 1);
        try (RdmaSocket socket = RdmaSocket.connect(Hosts.resolve(host, port), OPTIONS)) {
            print(new RcopyClient(socket).send(source, path));
        }
        return 0;
    }

    private void serve() throws InterruptedException {
        try (RdmaServerSocket server = RdmaServerSocket.listen(Hosts.resolve(null, port), OPTIONS)) {
            do {
                try (RdmaSocket socket = server.accept(); var serving = new RcopyServer(socket, this::print)) {
                    print("client: " + socket.peerAddress().getAddress().getHostAddress());
                    serving.run();
                } catch (IOException | VerbsException | ToolException e) {
                    print("the client failed: " + e.getMessage());
                }
            } while (!once);
        }
    }

    private void print(String line) {
        spec.commandLine().getOut().println(line);
        spec.commandLine().getOut().flush();
    }
}
