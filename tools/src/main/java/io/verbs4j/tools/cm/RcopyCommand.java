// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.cm;

import io.verbs4j.cm.stream.RdmaStream;
import io.verbs4j.cm.stream.RdmaStreamServer;
import io.verbs4j.tools.common.Hosts;
import io.verbs4j.tools.common.Listening;
import io.verbs4j.tools.common.ToolException;
import io.verbs4j.tools.pingpong.PingPongOptions;
import io.verbs4j.types.VerbsException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
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
        header = "Copy a file to another host by the rsockets protocol.",
        description = {
                "%nCompatible with rcopy of librdmacm. Without a file it is the server. Any client may write any file"
                        + " that the server's user may write.%n"
        },
        footer = {"%nExample:", "  verbs rcopy", "  verbs rcopy data 10.9.0.2:/tmp/data"})
public final class RcopyCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Parameters(index = "0", arity = "0..1", paramLabel = "<source>",
            description = "The file to copy.") private @Nullable Path source;

    @Parameters(index = "1", arity = "0..1", paramLabel = "<server[:destination]>",
            description = "The server, and the target path (default: the path of the source).") private @Nullable String target;

    @Option(names = "-p", paramLabel = "<port>", defaultValue = "7427", converter = PingPongOptions.TcpPort.class,
            description = "The port (default: ${DEFAULT-VALUE}).") private int port;

    @Option(names = "--once", description = "Let a server end after one client.") private boolean once;

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter console = spec.commandLine().getOut();
        if (source == null) {
            serve(console);
        } else {
            copy(source, console);
        }
        return 0;
    }

    private void copy(Path file, PrintWriter console) throws IOException, InterruptedException {
        if (target == null) {
            throw new ToolException("the target for " + file + " is missing: server or server:path");
        }
        int colon = target.indexOf(':', Math.max(target.indexOf(']'), 0)); // an IPv6 address is in brackets
        String host = colon < 0 ? target : target.substring(0, colon);
        String path = colon < 0 ? file.toString() : target.substring(colon + 1);
        try (RdmaStream stream = RdmaStream.connect(Hosts.resolve(host, port))) {
            new RcopyClient(stream, console).copy(file, path);
        }
    }

    private void serve(PrintWriter console) throws IOException, InterruptedException {
        try (RdmaStreamServer listener = RdmaStreamServer.listen(Hosts.resolve(null, port))) {
            do {
                console.print("waiting for connection...");
                console.flush();
                Listening.begins();
                try (RdmaStream stream = listener.accept(); var server = new RcopyServer(stream, console)) {
                    console.println("client: " + stream.peerAddress().getAddress().getHostAddress());
                    server.serve();
                } catch (IOException | VerbsException | ToolException e) {
                    if (once) {
                        throw e;
                    }
                    spec.commandLine().getErr().println(e.getMessage()); // the next client may succeed
                }
            } while (!once);
        }
    }
}
