// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.ReceiveWorkRequest;
import io.verbs4j.abi.host.Host;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.types.Access;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A handler of completions cannot close the queue that it is called for. Therefore a connection that a handler closes
/// must be closed again.
@Timeout(60)
class RepeatedCloseTest {
    private static final InetSocketAddress ADDRESS = new InetSocketAddress("10.9.0.1", 7474);
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final QueuePairAttributes ERROR = QueuePairAttributes.builder().state(QueuePairState.ERR).build();

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void closesWhatTheFirstCloseHasLeft(boolean grouped) throws Exception {
        try (
                SimulatedNetwork network = SimulatedNetwork.inRealTime();
                ConnectionGroup group = ConnectionGroup.create()) {
            var host = network.addHost("host", KernelProfile.LINUX_6_12);
            var device = host.addDevice("rxe0");
            var options = ConnectionOptions.defaults();
            try (var _ = Host.replaceCurrent(host); RdmaServer server = RdmaServer.listen(ADDRESS)) {
                var accepted = server.acceptAsync();
                RdmaConnection client = RdmaConnection.connect(ADDRESS, grouped ? options.withGroup(group) : options);
                var memory = client.protectionDomain().allocate(64, Access.LOCAL_WRITE);
                client.queuePair().postReceives(List.of(ReceiveWorkRequest.into(memory.local())));
                client.queuePair().modify(ERROR);
                int handled = client.completionQueue()
                        .poll(
                                1,
                                _ -> assertThatThrownBy(client::close)
                                        .isInstanceOf(IllegalStateException.class)
                                        .hasMessageContaining("submit or close it first"),
                                LIMIT);
                assertThat(handled).isOne();
                assertThat(client.context().isClosed()).isFalse();
                client.close();
                assertThat(client.context().isClosed()).isTrue();
                client.close();
                accepted.get(20, TimeUnit.SECONDS).close();
            }
            assertThat(device.objects()).isEmpty();
            assertThat(host.identifiers()).isEmpty();
        }
    }
}
