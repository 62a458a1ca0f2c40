// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import io.verbs4j.types.Mtu;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/// The path MTU option, for ping-pongs with connected queue pairs.
public final class PathMtuOption {
    /// Called by picocli.
    public PathMtuOption() {}

    @Option(
            names = {"-m", "--mtu"},
            paramLabel = "<bytes>",
            defaultValue = "1024",
            converter = MtuBytes.class,
            description = "Path MTU, the payload of a packet: 256, 512, 1024, 2048 or 4096 bytes"
                    + " (default: ${DEFAULT-VALUE}).") private Mtu mtu = Mtu.MTU_1024;

    Mtu mtu() {
        return mtu;
    }

    /// Reads a path MTU.
    public static final class MtuBytes implements ITypeConverter<Mtu> {
        @Override
        public Mtu convert(String text) {
            for (Mtu mtu : Mtu.values()) {
                if (Integer.toString(mtu.bytes()).equals(text.strip())) {
                    return mtu;
                }
            }
            throw new TypeConversionException("'" + text + "' is not 256, 512, 1024, 2048 or 4096");
        }
    }
}
