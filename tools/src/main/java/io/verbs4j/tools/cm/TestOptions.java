// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.cm;

import io.verbs4j.tools.common.CNumber;
import io.verbs4j.tools.common.ToolException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The common options of librdmacm's test programs.
final class TestOptions extends EndOptions {
    @Option(
            names = "-f",
            paramLabel = "<format>",
            description = "Ignored; accepted for compatibility: names, IPv4 and IPv6 addresses are always"
                    + " recognized. GIDs are not supported.")
    @Nullable String format;

    @Option(
            names = "-c",
            paramLabel = "<n>",
            defaultValue = "1",
            converter = CNumber.Positive.class,
            description = "Number of connections (default: ${DEFAULT-VALUE}).") int connections;

    @Option(
            names = "-C",
            paramLabel = "<n>",
            defaultValue = "10",
            converter = CNumber.NotNegative.class,
            description = "Number of messages on each connection, in each direction (default: ${DEFAULT-VALUE}).") int messages;

    @Option(
            names = "-S",
            paramLabel = "<bytes>",
            defaultValue = "100",
            converter = CNumber.NotNegative.class,
            description = "Size of a message in bytes (default: ${DEFAULT-VALUE}).") int bytes;

    @Option(
            names = "-t",
            paramLabel = "<tos>",
            converter = TypeOfService.class,
            description = "Type of service or traffic class, 0 to 255, of the client's connections.")
    @Nullable Integer typeOfService;

    /// 0 to 255.
    static final class TypeOfService extends CNumber {
        TypeOfService() {
            super(0, 255);
        }
    }

    /// Returns the number of messages; 0 if their size is 0.
    int count() {
        return bytes == 0 ? 0 : messages;
    }

    /// Rejects options that only librdmacm's programs support.
    void check() {
        if (format != null && format.toLowerCase(Locale.ROOT).startsWith("gid")) {
            throw new ToolException("addresses are IP addresses or names, not GIDs");
        }
    }
}
