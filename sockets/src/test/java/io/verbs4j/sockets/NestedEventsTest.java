// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class NestedEventsTest {
    private static DatagramChannel bound() throws IOException {
        return DatagramChannel.open(StandardProtocolFamily.INET).bind(new InetSocketAddress("127.0.0.1", 0));
    }

    private static int port(DatagramChannel channel) throws IOException {
        return ((InetSocketAddress) channel.getLocalAddress()).getPort();
    }

    @Test
    void findsTheDescriptorOfAChannel() throws IOException {
        int port;
        Path file;
        try (DatagramChannel first = bound(); DatagramChannel second = bound()) {
            port = port(first);
            int descriptor = NestedEvents.descriptor(port);
            assertThat(NestedEvents.descriptor(port(second))).isNotEqualTo(descriptor);
            file = Path.of("/proc/self/fd/" + descriptor);
            assertThat(Files.readSymbolicLink(file).toString()).startsWith("socket:[");
        }
        assertThat(file).doesNotExist();
        assertThatThrownBy(() -> NestedEvents.descriptor(port)).isInstanceOf(IOException.class);
    }
}
