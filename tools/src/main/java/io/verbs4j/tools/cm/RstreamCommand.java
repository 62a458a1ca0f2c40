// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.cm;

import io.verbs4j.cm.stream.StreamOptions;
import java.util.Set;
import picocli.CommandLine.Command;

/// `verbs rstream`.
@Command(
        name = "rstream",
        header = "Measure streams of bytes by the rsockets protocol.",
        description = {
                "%nCompatible with rstream of librdmacm. In each iteration the client sends, then the server. Both"
                        + " sides need the same -S, -C and -I. Without these options, both measure latency and"
                        + " bandwidth of four sizes.%n"
        },
        footer = {
                "%nExample:",
                "  verbs rstream -b 10.9.0.2 -S 64 -C 1000",
                "  verbs rstream -s 10.9.0.2 -S 64 -C 1000"
        })
public final class RstreamCommand extends StreamBench {
    @Override
    StreamOptions adapted(StreamOptions options) {
        return options;
    }

    @Override
    StreamTransfers transfers(boolean client, Set<Test> tests, int most) {
        return new RstreamRun(client, tests, most);
    }
}
