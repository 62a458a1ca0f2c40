// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.cm;

import io.verbs4j.cm.stream.StreamOptions;
import java.util.Set;
import picocli.CommandLine.Command;

/// `verbs riostream`.
@Command(
        name = "riostream",
        header = "Measure direct writes into mapped memory by the rsockets protocol.",
        description = {
                "%nCompatible with riostream of librdmacm. Each side maps a buffer, and the other side writes into it."
                        + " The last byte of the buffer changes when all transfers of one side have arrived. Both"
                        + " sides need the same -S, -C and -I. Without these options, both measure latency and"
                        + " bandwidth of four sizes.%n"
        },
        footer = {
                "%nExample:",
                "  verbs riostream -b 10.9.0.2 -S 64 -C 1000",
                "  verbs riostream -s 10.9.0.2 -S 64 -C 1000"
        })
public final class RiostreamCommand extends StreamBench {
    @Override
    StreamOptions adapted(StreamOptions options) {
        return options.withMappings(1);
    }

    @Override
    StreamTransfers transfers(boolean client, Set<Test> tests, int most) {
        return new RiostreamRun(client, tests.contains(Test.VERIFY));
    }
}
