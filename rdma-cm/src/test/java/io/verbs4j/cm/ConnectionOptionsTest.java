// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Device;
import io.verbs4j.Devices;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePairBuilder;
import io.verbs4j.abi.host.Host;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.types.PrivateData;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Compares each value of the options with what was set.
class ConnectionOptionsTest {
    private static final InetSocketAddress ADDRESS = new InetSocketAddress("10.9.0.2", 7471);

    private static Map<String, @Nullable Object> values(ConnectionOptions options, Device device) {
        var values = new LinkedHashMap<String, @Nullable Object>();
        values.put("timeout", options.timeout().toMillis());
        values.put("drain", options.drain().toMillis());
        values.put("privateData", options.privateData());
        values.put("source", options.source());
        values.put("readAtomic", options.readAtomic());
        values.put("retryCount", options.retryCount());
        values.put("rnrRetry", options.rnrRetry());
        values.put("maxSends", options.maxSends(device));
        values.put("maxReceives", options.maxReceives());
        values.put("domain", options.domain());
        values.put("queue", options.queue());
        values.put("queuePair", options.queuePair());
        values.put("group", options.group());
        values.put("messages", options.messages());
        values.put("announcedMessages", options.announcedMessages());
        return values;
    }

    /// Each method changes its own values, and no other.
    @Test
    void areWhatWasSet() {
        try (
                SimulatedNetwork network = SimulatedNetwork.inRealTime();
                ConnectionGroup group = ConnectionGroup.create()) {
            var host = network.addHost("host", KernelProfile.LINUX_6_12);
            host.addDevice("rxe0");
            Device device = Devices.of(host).getFirst();
            ConnectionOptions defaults = ConnectionOptions.defaults();
            Map<String, @Nullable Object> expected = values(defaults, device);
            assertThat(expected.toString()).isEqualTo(
                    "{timeout=30000, drain=1000, privateData=" + PrivateData.NONE + ", source=null, readAtomic=16,"
                            + " retryCount=6, rnrRetry=7, maxSends=128, maxReceives=128, domain=null, queue=null, queuePair="
                            + defaults.queuePair() + ", group=null, messages=null, announcedMessages=null}");
            ProtectionDomain domain = device.open().allocateProtectionDomain();
            CompletionQueue queue = domain.context().createCompletionQueue(1);
            Consumer<QueuePairBuilder> queuePair = _ -> {};
            PrivateData data = PrivateData.of(new byte[]{1});
            var terms = new MessageTerms(5, 6);
            var changes = new LinkedHashMap<ConnectionOptions, Map<String, Object>>();
            changes.put(defaults.withTimeout(Duration.ofSeconds(2)), Map.of("timeout", 2000L));
            changes.put(defaults.withDrain(Duration.ofSeconds(3)), Map.of("drain", 3000L));
            changes.put(defaults.withPrivateData(data), Map.of("privateData", data));
            changes.put(defaults.withSource(ADDRESS), Map.of("source", ADDRESS));
            changes.put(defaults.withReadAtomic(4), Map.of("readAtomic", 4));
            changes.put(defaults.withRetries(1, 2), Map.of("retryCount", 1, "rnrRetry", 2));
            changes.put(defaults.withQueues(10, 11), Map.of("maxSends", 10, "maxReceives", 11));
            changes.put(defaults.withIwarpSends(9), Map.of()); // the device is no iWARP
            changes.put(defaults.withProtectionDomain(domain), Map.of("domain", domain));
            changes.put(defaults.withCompletionQueue(queue), Map.of("queue", queue));
            changes.put(defaults.withQueuePair(queuePair), Map.of("queuePair", queuePair));
            changes.put(defaults.withGroup(group), Map.of("group", group));
            changes.put(
                    defaults.withQueues(10, 3).withMessages(5, 6),
                    Map.of("maxSends", 17, "maxReceives", 7, "messages", terms, "announcedMessages", terms));
            changes.put(
                    defaults.withPlainMessages(5, 6), Map.of("maxSends", 135, "maxReceives", 128, "messages", terms));
            changes.forEach((options, change) -> {
                var changed = new LinkedHashMap<>(expected);
                changed.putAll(change);
                assertThat(values(options, device)).isEqualTo(changed);
            });
            assertThat(values(defaults, device)).as("unchanged").isEqualTo(expected);
            domain.context().close();
        }
    }

    /// With a smaller queue, completions could be lost.
    @Test
    void aCompletionQueueWithoutRoomIsRefused() {
        ConnectionOptions defaults = ConnectionOptions.defaults();
        try (SimulatedNetwork network = SimulatedNetwork.inRealTime()) {
            var host = network.addHost("host", KernelProfile.LINUX_6_12);
            var device = host.addDevice("rxe0");
            try (var _ = Host.replaceCurrent(host)) {
                assertNeeds(40_000, defaults.withQueues(20_000, 20_000));
                assertNeeds(128 + 2 * (16_318 + 2), defaults.withMessages(16_318, 1));
                assertNeeds(Integer.MAX_VALUE + 3L, defaults.withQueues(Integer.MAX_VALUE, 1).withMessages(1, 1));
            }
            assertThat(device.objects()).isEmpty();
        }
    }

    private static void assertNeeds(long entries, ConnectionOptions options) {
        assertThatThrownBy(() -> RdmaConnection.connect(new InetSocketAddress("10.9.0.1", 7471), options))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the connection's completion queue needs " + entries + " entries, and rxe0 permits 32767"
                        + " (max_cqe); reduce the numbers of withQueues or withMessages, or set withCompletionQueue");
    }

    /// The terms follow the program's data, which therefore has 12 bytes less.
    @Test
    void privateDataEndsWithTheTerms() {
        PrivateData data = PrivateData.of(new byte[]{7});
        ConnectionOptions options = ConnectionOptions.defaults().withPrivateData(data);
        assertThat(options.privateData(56)).isEqualTo(data);
        assertThat(options.withPlainMessages(5, 6).privateData(56)).isEqualTo(data);
        PrivateData both = options.withMessages(5, 6).privateData(56);
        assertThat(both.size()).isEqualTo(56);
        assertThat(both.bytes()).startsWith(7, 0).endsWith('v', '4', 'j', 'm', 0, 0, 0, 5, 0, 0, 0, 6);
        assertThat(MessageTerms.in(both, 56)).isEqualTo(new MessageTerms(5, 6));
        assertThatThrownBy(() -> options.withMessages(5, 6).privateData(12))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("privateData.size=1 exceeds the limit with messages: 0 bytes");
    }
}
