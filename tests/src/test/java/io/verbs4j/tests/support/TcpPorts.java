// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// TCP ports of this machine.
public final class TcpPorts {
    private TcpPorts() {}

    /// Returns whether a socket is in state LISTEN (0A) on the port.
    public static boolean isListening(int port) {
        String pattern = "(?s).*:%04X [0-9A-F:]+ 0A .*".formatted(port);
        return Stream.of("/proc/net/tcp", "/proc/net/tcp6")
                .map(Path::of)
                .filter(Files::exists)
                .flatMap(TcpPorts::lines)
                .anyMatch(line -> line.matches(pattern));
    }

    private static Stream<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
