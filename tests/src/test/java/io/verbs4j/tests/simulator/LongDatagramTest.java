// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.CompletionRecord;
import io.verbs4j.MemoryRegion;
import io.verbs4j.abi.host.Host;
import io.verbs4j.cm.ConnectionOptions;
import io.verbs4j.cm.DatagramPort;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.types.Access;
import io.verbs4j.types.PrivateData;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LongDatagramTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final int BYTES = 4096;

    private static CompletionRecord next(DatagramPort port) throws InterruptedException {
        var completions = new ArrayList<CompletionRecord>();
        port.completionQueue().await(1, completion -> completions.add(completion.toRecord()), LONG);
        return completions.getFirst();
    }

    /// A datagram longer than the MTU, which has become smaller, is not sent, and completes without an error
    /// (C10-93.1.1 of the InfiniBand specification, as `rxe_requester` quotes it, rxe_req.c).
    @Test
    void completesWithoutBeingSent() throws Exception {
        try (SimulatedNetwork network = SimulatedNetwork.inRealTime()) {
            var host = network.addHost("test", KernelProfile.LINUX_7_2);
            var device = host.addDevice("rxe0");
            var options = ConnectionOptions.defaults().withTimeout(LONG);
            try (
                    var _ = Host.replaceCurrent(host);
                    var server = DatagramPort.open(new InetSocketAddress("10.9.0.1", 7471), options)) {
                server.serve(PrivateData.NONE);
                MemoryRegion received = server.protectionDomain().allocate(BYTES, Access.LOCAL_WRITE);
                try (var batch = server.queuePair().beginReceive()) {
                    batch.workRequestId(1).receive(received, 0, BYTES);
                    batch.submit();
                }
                try (var client = DatagramPort.connect(server.localAddress(), options)) {
                    MemoryRegion sent = client.protectionDomain().allocate(BYTES);
                    device.mtu(600);
                    int mtu = client.context().port(1).activeMtu().bytes();
                    for (int length : new int[]{mtu + 1, mtu}) {
                        try (var batch = client.queuePair().beginSend()) {
                            client.peer()
                                    .orElseThrow()
                                    .address(batch.signaled().workRequestId(length))
                                    .send()
                                    .local(sent, 0, length)
                                    .post();
                            batch.submit();
                        }
                        CompletionRecord completion = next(client);
                        assertThat(completion.isSuccess()).isTrue();
                        assertThat(completion.workRequestId()).isEqualTo(length);
                    }
                    assertThat(next(server).byteLength()).as("the second, behind a header").isEqualTo(40 + mtu);
                }
            }
        }
    }
}
