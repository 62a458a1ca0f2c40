// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.discovery.KernelResource;
import io.verbs4j.abi.discovery.RdmaSubsystem;
import io.verbs4j.abi.discovery.ResourceKind;
import io.verbs4j.simulator.SimulatedDevice;
import io.verbs4j.simulator.SimulatedHost;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The objects of programs, as an administrator sees them.
class SimulatedResourcesTest {
    private final SimulatedNetwork network = SimulatedNetwork.inVirtualTime(3);
    private final Conversation conversation = new Conversation(network, KernelProfile.LINUX_7_2, true, 3);
    private final SimulatedHost host = network.hosts().getFirst();
    private final SimulatedDevice left = host.find("left").orElseThrow();

    @AfterEach
    void close() {
        conversation.close();
    }

    private List<KernelResource> resources(ResourceKind kind) {
        try (RdmaSubsystem subsystem = host.subsystem()) {
            return subsystem.resources(0, kind);
        }
    }

    private Map<String, Long> details(ResourceKind kind) {
        List<KernelResource> found = resources(kind);
        assertThat(found).as("%s", kind).hasSize(1);
        assertThat(found.getFirst().kind()).isEqualTo(kind);
        return found.getFirst()
                .details()
                .stream()
                .collect(Collectors.toMap(KernelResource.Detail::name, KernelResource.Detail::value));
    }

    @Test
    void areThoseThatTheProgramHasCreated() {
        Conversation.End end = conversation.left;
        assertThat(details(ResourceKind.CONTEXT)).isEmpty();
        assertThat(details(ResourceKind.PROTECTION_DOMAIN)).isEmpty();
        assertThat(details(ResourceKind.COMPLETION_QUEUE)).isEqualTo(Map.of("cqe", (long) end.queue().capacity()));
        long key = Integer.toUnsignedLong(end.memory().localKey());
        assertThat(details(ResourceKind.MEMORY_REGION))
                .isEqualTo(Map.of("mrlen", end.memory().length(), "lkey", key, "rkey", key));
        QueuePairAttributes attributes = end.queuePair().query();
        assertThat(details(ResourceKind.QUEUE_PAIR))
                .isEqualTo(Map.of(
                        "type", 2L,
                        "state", (long) QueuePairState.RTS.value(),
                        "rqpn", (long) conversation.right.queuePair().number(),
                        "sq-psn", (long) attributes.sendPsn(),
                        "rq-psn", (long) attributes.receivePsn()));
        assertThat(resources(ResourceKind.QUEUE_PAIR).getFirst().number())
                .hasValue(end.queuePair().number());
        assertThat(resources(ResourceKind.SHARED_RECEIVE_QUEUE)).isEmpty();
        assertThat(resources(ResourceKind.CONNECTION_ID)).isEmpty();
    }

    /// Objects without a number in RDMA netlink are in the other list only.
    @Test
    void appearAndDisappear() {
        List<String> before = left.objects();
        var domain = conversation.left.memory().protectionDomain();
        try (
                var shared = domain.createSharedReceiveQueue(3, 1);
                var handle = domain.createAddressHandle(
                        conversation.left.queuePair().query().addressVector())) {
            assertThat(details(ResourceKind.SHARED_RECEIVE_QUEUE)).isEmpty();
            assertThat(left.objects()).hasSize(before.size() + 2).containsAll(before);
            assertThat(left.objects()).filteredOn(text -> text.startsWith("AH ")).hasSize(1);
            assertThat(left.objects()).filteredOn(text -> text.startsWith("SRQ ")).hasSize(1);
            assertThat(shared.protectionDomain()).isSameAs(handle.protectionDomain());
        }
        assertThat(left.objects()).isEqualTo(before);
        assertThat(left.contexts()).isOne();
        conversation.left.context().close();
        assertThat(left.contexts()).isZero();
        assertThat(left.objects()).isEmpty();
        for (ResourceKind kind : ResourceKind.values()) {
            assertThat(resources(kind)).as("%s", kind).isEmpty();
        }
    }
}
