// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.abi.FaultyHost;
import io.verbs4j.abi.cm.Reject;
import io.verbs4j.abi.host.Host;
import io.verbs4j.abi.uapi.RdmaUcmCmdHdr;
import io.verbs4j.cm.ConnectionOptions;
import io.verbs4j.cm.ConnectionRejectedException;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.cm.RdmaServer;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.LoggedMessages;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.types.Errno;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// More requests than a server has room for.
@DeviceTest
@Needs.NoKernel("the backlog is kept in this process")
class FullBacklogIT {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final ConnectionOptions OPTIONS = ConnectionOptions.defaults().withTimeout(LONG);

    @Test
    void isRejectedAndLoggedOnceUntilThereIsRoom() throws Exception {
        InetSocketAddress address = CmAddress.right();
        try (
                var log = LoggedMessages.of("io.verbs4j.cm");
                var server = RdmaServer.listen(address, OPTIONS, 1, identifier -> {})) {
            String warning =
                    "WARNING " + server + " rejects requests: its backlog of 1 is full";
            for (int times = 1; times <= 2; times++) {
                var two = List.of(RdmaConnection.connectAsync(address, OPTIONS),
                        RdmaConnection.connectAsync(address, OPTIONS));
                Eventually.until(() -> two.stream().anyMatch(CompletableFuture::isDone), two::toString);
                var rejected = two.get(two.get(0).isDone() ? 0 : 1);
                var waiting = two.get(two.get(0).isDone() ? 1 : 0);
                assertThatThrownBy(() -> rejected.get(0, TimeUnit.SECONDS))
                        .hasCauseInstanceOf(ConnectionRejectedException.class);
                assertThat(log.all()).filteredOn(warning::equals).hasSize(times);
                assertThatThrownBy(() -> RdmaConnection.connect(address, OPTIONS))
                        .isInstanceOf(ConnectionRejectedException.class);
                assertThat(log.all()).filteredOn(warning::equals).as("no other for the third request").hasSize(times);
                try (var accepted = server.accept(); var connected = waiting.get(60, TimeUnit.SECONDS)) {
                    assertThat(accepted.peerAddress()).isEqualTo(connected.localAddress());
                }
            }
            assertThat(log.all()).containsOnly(warning);
        }
    }

    /// The kernel then refuses to reject the request.
    @Test
    void isNoFailureIfThePeerHasGivenUp() throws Exception {
        InetSocketAddress address = CmAddress.right();
        var givenUp = new FaultyHost((_, arguments) -> isRejection(arguments.getFirst()), Errno.EINVAL);
        try (
                var _ = Host.replaceCurrent(givenUp.over(Host.current()));
                var log = LoggedMessages.of("io.verbs4j.cm");
                var server = RdmaServer.listen(address, OPTIONS, 1, identifier -> {})) {
            var three = List.of(
                    RdmaConnection.connectAsync(address, OPTIONS),
                    RdmaConnection.connectAsync(address, OPTIONS),
                    RdmaConnection.connectAsync(address, OPTIONS));
            // The server has handled the first of two surplus requests when it rejects the second.
            Eventually.until(() -> three.stream().filter(CompletableFuture::isDone).count() == 2, three::toString);
            assertThat(log.all())
                    .containsExactly("WARNING " + server + " rejects requests: its backlog of 1 is full");
        }
    }

    private static boolean isRejection(Object argument) {
        return argument instanceof MemorySegment command
                && RdmaUcmCmdHdr.STRUCT.view(command).getInt("cmd") == Reject.COMMAND.number();
    }
}
