// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.peers;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.cm.ConnectionOptions;
import io.verbs4j.cm.RdmaServer;
import io.verbs4j.examples.nfs.NfsCat;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Needs;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The example that reads a file from an NFS server, with replies that the kernel's server does not send. Each reply is
/// given by its words.
@DeviceTest
@Needs.NoKernel
class NfsCatIT {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    /// A reply to the NULL call.
    private static final String ACCEPTED = "1 1 1 0 0 0 0 1 1 0 0 0 0/";
    private static final InetSocketAddress ADDRESS = new InetSocketAddress("10.9.0.2", 20049);

    @ParameterizedTest
    @CsvSource({
            "1 1 1 4 1 2 3, supports versions 2 to 3 of RPC-over-RDMA",
            "1 1 1 4 2, ERR_CHUNK",
            "1 1 1 1 0 0 0, unexpected header",
            "1 1 1 0 0 0 1, unexpected reply chunk",
            "2 1 1 0 0 0 0 2 1 0 0 0 0, answers another call",
            "1 1 1 0 0 0 0 1 0 0 0 0 0, no reply to the call",
            "1 1 1 0 0 0 0 1 1 1 0 3 3, does not support version 2 of RPC",
            "1 1 1 0 0 0 0 1 1 1 1 5, AUTH_ERROR 5",
            "1 1 1 0 0 0 0 1 1 0 0 0 2 3 3, PROG_MISMATCH",
            "1 1 1 0 0 0 0 1 1 0 0 0 77, calls of NFS version 4: 77",
            "1 1 1 0 0 0 0 1 1 0 0 -8 0, incomplete",
            "1 1 1 0 0 0 0 1 1 0 0 0, incomplete",
            ACCEPTED + "2 1 1 0 0 0 0 2 1 0 0 0 0 10036, status 10036 of NFS",
            ACCEPTED + "2 1 1 0 0 1 1 0 4 0 0 0 0 2 1 0 0 0 0 0 0 3 24 0 15 0 25 0 1 8, has not written the bytes",
            ACCEPTED + "2 1 1 0 0 1 1 0 4 0 0 0 0 2 1 0 0 0 0 0 0 3 24 0 15 0 25 0 0 0, no bytes before"})
    void explainsAReply(String replies, String reason) throws Exception {
        try (var server = RdmaServer.listen(ADDRESS, ConnectionOptions.defaults().withPlainMessages(1, 1024))) {
            var serving = CompletableFuture.runAsync(() -> answer(server, replies));
            assertThatThrownBy(() -> NfsCat.copy(ADDRESS, "/file", OutputStream.nullOutputStream()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(reason);
            serving.join();
        }
    }

    private static void answer(RdmaServer server, String replies) {
        try (var connection = server.accept()) {
            for (String reply : replies.split("/")) {
                connection.messages().receive(LIMIT);
                ByteBuffer words = ByteBuffer.allocate(1024);
                Arrays.stream(reply.split(" ")).mapToInt(Integer::parseInt).forEach(words::putInt);
                connection.messages().send(Arrays.copyOf(words.array(), words.position()), LIMIT);
            }
            connection.disconnected().join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
