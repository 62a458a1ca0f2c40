// SPDX-License-Identifier: Apache-2.0
/// The command line `verbs`, and capture of RoCE v2 packets.
@SuppressWarnings("requires-automatic") // HdrHistogram is no module yet
module io.verbs4j.tools {
    requires HdrHistogram;
    requires info.picocli;
    requires io.verbs4j;
    requires io.verbs4j.cm;
    requires transitive io.verbs4j.roce;
    requires io.verbs4j.tracing;
    requires io.verbs4j.sockets;
    requires io.verbs4j.spi;
    requires static org.jspecify;
    // Needed by `rings` and `sockets` only; the launcher leaves it out otherwise, for a quicker start.
    requires static java.management;
    requires static jdk.attach;

    exports io.verbs4j.tools.wire;

    uses io.verbs4j.abi.host.HostFactory;
    uses io.verbs4j.spi.ProviderFactory;

    // picocli sets the fields of commands.
    opens io.verbs4j.tools to
            info.picocli;
    opens io.verbs4j.tools.common to
            info.picocli;
    opens io.verbs4j.tools.cm to
            info.picocli;
    opens io.verbs4j.tools.asyncwatch to
            info.picocli;
    opens io.verbs4j.tools.abi to
            info.picocli;
    opens io.verbs4j.tools.rings to
            info.picocli;
    opens io.verbs4j.tools.sockets to
            info.picocli;
    opens io.verbs4j.tools.step to
            info.picocli;
    opens io.verbs4j.tools.trace to
            info.picocli;
    opens io.verbs4j.tools.devinfo to
            info.picocli;
    opens io.verbs4j.tools.inspect to
            info.picocli;
    opens io.verbs4j.tools.link to
            info.picocli;
    opens io.verbs4j.tools.doctor to
            info.picocli;
    opens io.verbs4j.tools.manual to
            info.picocli;
    opens io.verbs4j.tools.perf to
            info.picocli;
    opens io.verbs4j.tools.pingpong to
            info.picocli;
    opens io.verbs4j.tools.packets to
            info.picocli;
}
