// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.examples.kv.KeyValueClient;
import io.verbs4j.examples.kv.KeyValueServer;
import io.verbs4j.examples.kv.KeyValueStore;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.JavaProcess;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.types.VerbsException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The key-value example on the lab's wire. The short form has fewer clients. The long form (system property
/// `walks.minutes`) has a hundred.
@DeviceTest
@RealKernel("processes on one machine")
@Needs.OneKernel
class KeyValueStoreIT {
    private static final String ADDRESS = "10.9.0.2";

    @Test
    @Needs.LongRun("many clients are programs of their own")
    void servesManyClientsAtATime() {
        int clients = Long.getLong("walks.minutes", 0) > 0 ? 100 : 8;
        var command = new ArrayList<>(JavaProcess.command(KeyValueStore.class));
        command.addAll(List.of(ADDRESS, "21001", String.valueOf(clients), "5"));

        var run = ExternalProcess.of(command).run(Duration.ofSeconds(240)).requireSuccess();

        assertThat(run.output()).contains(clients + " clients, " + 15 * clients + " requests, 0 keys left");
        assertThat(run.output()).doesNotContain("WARNING");
    }

    @Test
    void keepsValuesWhenClientsGo() throws Exception {
        var address = new InetSocketAddress(ADDRESS, 21002);
        try (KeyValueServer server = KeyValueServer.listen(address)) {
            try (KeyValueClient first = KeyValueClient.connect(address)) {
                first.put("key", "value".getBytes(StandardCharsets.UTF_8));
            }
            try (KeyValueClient second = KeyValueClient.connect(address)) {
                assertThat(second.get("key"))
                        .hasValueSatisfying(value -> assertThat(value).asString().isEqualTo("value"));
                assertThat(second.get("other")).isEmpty();
            }
            assertThat(server.size()).isEqualTo(1);
        }
    }

    @Test
    void failsRequestsWhenTheServerHasGone() throws Exception {
        var address = new InetSocketAddress(ADDRESS, 21003);
        KeyValueServer server = KeyValueServer.listen(address);
        try (KeyValueClient client = KeyValueClient.connect(address)) {
            client.put("key", new byte[1]);
            server.close();

            assertThatThrownBy(() -> client.get("key")).isInstanceOf(VerbsException.class)
                    .hasMessageContaining("ended");
        }
    }
}
