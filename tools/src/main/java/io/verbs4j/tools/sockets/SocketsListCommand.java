// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.sockets;

import io.verbs4j.sockets.SocketConnection;
import io.verbs4j.sockets.SocketReport;
import io.verbs4j.sockets.SocketsMXBean;
import io.verbs4j.tools.common.CNumber;
import io.verbs4j.tools.common.Json;
import io.verbs4j.tools.common.JsonOption;
import io.verbs4j.tools.common.Table;
import io.verbs4j.tools.programs.AttachedProgram;
import io.verbs4j.tools.programs.JavaPrograms;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import javax.management.JMX;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `verbs sockets list`.
@Command(
        name = "list",
        header = "List a running program's connections over RDMA and over TCP.",
        description = {
                "%nAttaches to a Java program of the same user and reads its management interface. Start the program with"
                        + " -Dverbs4j.management=true. Without <pid>, lists the programs that have an RDMA device open.%n"
        },
        footer = {"%nExamples:", "  verbs sockets list", "  verbs sockets list 4711 --json"})
final class SocketsListCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Parameters(arity = "0..1", paramLabel = "<pid>", converter = CNumber.Positive.class,
            description = "The program; without it, the candidates are listed.") private @Nullable Integer pid;

    @Mixin private final JsonOption json = new JsonOption();

    /// What a program reports.
    ///
    /// @param rules what decides between RDMA and TCP
    /// @param counts since the program's start
    private record Sockets(long pid, String rules, SocketReport counts, List<SocketConnection> connections) {}

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        if (pid == null) {
            listPrograms(out);
        } else {
            print(read(pid), out);
        }
        out.flush();
        return 0;
    }

    private void listPrograms(PrintWriter out) {
        List<JavaPrograms.Program> programs = JavaPrograms.ofSystem().usingDevices();
        if (json.isSet()) {
            out.println(Json.pretty(programs));
        } else {
            JavaPrograms.print(programs, out);
        }
    }

    private static Sockets read(long pid) {
        try (AttachedProgram program = AttachedProgram.attach(pid)) {
            var names = program.beans("type=Sockets", "exposes no sockets: it has opened none through verbs4j");
            return program.read(connection -> {
                SocketsMXBean bean = JMX.newMXBeanProxy(connection, names.iterator().next(), SocketsMXBean.class);
                return new Sockets(pid, bean.getRules(), bean.getReport(), bean.getConnections());
            });
        }
    }

    private void print(Sockets sockets, PrintWriter out) {
        if (json.isSet()) {
            out.println(Json.pretty(sockets));
            return;
        }
        var table = new Table("transport", "local", "peer");
        sockets.connections.forEach(each -> table.row(each.transport(), each.local(), each.peer()));
        table.print(out);
        SocketReport counts = sockets.counts;
        out.println();
        out.println("since the start: " + counts.rdmaConnects() + " connects and " + counts.rdmaAccepts()
                + " accepts over RDMA, " + counts.tcpConnects() + " and " + counts.tcpAccepts() + " over TCP, "
                + counts.fallbacks() + " fallbacks to TCP");
        out.println("rules: " + sockets.rules);
    }
}
