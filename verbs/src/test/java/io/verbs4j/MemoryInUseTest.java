// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.rxe.FakeDevice;
import io.verbs4j.types.Access;
import io.verbs4j.types.ScatterGatherList;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The close of a region while a channel reads into its memory, which therefore cannot be freed.
@Timeout(60)
class MemoryInUseTest {
    private final FakeDevice device = new FakeDevice();
    private final Context context = InjectedDevices.open(device);
    private final MemoryRegion region = context.allocateProtectionDomain().allocate(8, Access.LOCAL_WRITE);

    @AfterEach
    void close() {
        context.close();
        device.free();
    }

    /// The close has ended the registration, so the keys are invalid.
    @Test
    void isPartOfNoWorkRequestAfterTheClose() throws Exception {
        try (
                var server = AsynchronousServerSocketChannel.open()
                        .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                var reader = AsynchronousSocketChannel.open()) {
            var accepted = server.accept();
            reader.connect(server.getLocalAddress()).get();
            try (var writer = accepted.get()) {
                var read = reader.read(region.segment().asByteBuffer());
                assertThatThrownBy(region::close).isInstanceOf(IllegalStateException.class);
                assertThat(region.isClosed()).isFalse();
                assertThatThrownBy(() -> region.local().addTo(new ScatterGatherList()))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage(region + " is closed");
                writer.write(ByteBuffer.allocate(1)).get();
                assertThat(read.get()).isEqualTo(1);
            }
        }
        region.close();
        assertThat(region.isClosed()).isTrue();
    }
}
