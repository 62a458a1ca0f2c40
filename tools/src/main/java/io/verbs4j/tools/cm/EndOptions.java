// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.cm;

import io.verbs4j.tools.common.Hosts;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// The options by which a program is a server or a client of librdmacm's test programs.
@Command // so that picocli finds the options
class EndOptions {
    @Option(
            names = "-s",
            paramLabel = "<address>",
            description = "Connect to the server at this address. Without it this is the server.")
    @Nullable String server;

    @Option(
            names = "-b",
            paramLabel = "<address>",
            description = "The local address (default of a server: any IPv4 address).")
    @Nullable String own;

    /// Returns the local address of a client; null for any.
    @Nullable
    final InetSocketAddress source() {
        return own == null ? null : Hosts.resolve(own, 0);
    }
}
