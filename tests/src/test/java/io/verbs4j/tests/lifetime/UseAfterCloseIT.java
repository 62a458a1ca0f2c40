// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.lifetime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.CompletionQueueOptions;
import io.verbs4j.VerbsObject;
import io.verbs4j.tests.support.AnyDevice;
import io.verbs4j.tests.support.AnyDevice.NotOverSiw;
import io.verbs4j.tests.support.ConnectedPair;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.End;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Wire;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.Feature;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Every object refuses everything after it was closed, with its name; its descriptive accessors go on working.
@AnyDevice
@DeviceTest
@Needs.OneKernel
class UseAfterCloseIT {
    private final ConnectedPair pair = ConnectedPair.onOneDevice().withChannels().connect();
    private final End end = pair.left();

    @AfterEach
    void close() {
        pair.close();
    }

    @Test
    void ofAContext() {
        var context = end.context();
        context.close();

        assertRefused(context, Map.of(
                "port", () -> context.port(1),
                "gids", context::gids,
                "gid", () -> context.gid(1, 0),
                "allocateProtectionDomain", context::allocateProtectionDomain,
                "createCompletionChannel", context::createCompletionChannel,
                "createCompletionQueue", () -> context.createCompletionQueue(16)));
        assertThatThrownBy(() -> context.asyncEvents().take(Duration.ZERO)).isInstanceOf(IllegalStateException.class);
        assertThat(context.attributes().ports()).isEqualTo(1);
        assertThat(context.device().name()).isEqualTo(Wire.left());
    }

    @Test
    @NotOverSiw("no datagrams")
    void ofAProtectionDomain() {
        var domain = end.context().allocateProtectionDomain();
        domain.close();

        assertRefused(domain, Map.of(
                "allocate", () -> domain.allocate(64),
                "register", () -> domain.register(end.memory().segment()),
                "reliableConnection", () -> domain.reliableConnection(end.queue()).create(),
                "datagram", () -> domain.datagram(end.queue()).prepare(),
                "createSharedReceiveQueue", () -> domain.createSharedReceiveQueue(16, 1),
                "createAddressHandle",
                () -> domain.createAddressHandle(
                        AddressVector.roce(1, 1, end.context().gid(1, 1).gid()))));
    }

    @Test
    @NotOverSiw("no resizing")
    void ofACompletionQueue() {
        var queue = end.context()
                .createCompletionQueue(CompletionQueueOptions.entries(16).withChannel(end.channel()));
        queue.close();

        assertRefused(queue, Map.of(
                "poll", () -> queue.poll(1, completion -> {}),
                "beginPoll", queue::beginPoll,
                "requestNotification", () -> queue.requestNotification(false),
                "await", () -> queue.await(1, completion -> {}, Duration.ZERO),
                "resize", () -> queue.resize(32),
                "reliableConnection", () -> end.domain().reliableConnection(queue).create()));
        assertThat(queue.capacity()).isGreaterThanOrEqualTo(16);
        assertThat(queue.channel()).isSameAs(end.channel());
    }

    @Test
    void ofACompletionChannel() {
        var channel = end.context().createCompletionChannel();
        channel.close();

        assertRefused(channel, Map.of(
                "take", () -> channel.take(Duration.ZERO),
                "createCompletionQueue",
                () -> end.context()
                        .createCompletionQueue(
                                CompletionQueueOptions.entries(16).withChannel(channel))));
    }

    @Test
    void ofAMemoryRegion() {
        var region = end.memory();
        var part = region.slice(0, 8);
        region.close();

        assertRefused(region, Map.of(
                "send", () -> end.post(batch -> batch.send().local(region, 0, 8).post()),
                "send of a slice", () -> end.post(batch -> batch.send().local(part).post()),
                "rdmaWrite", () -> end.post(batch -> batch.write()
                        .local(region, 0, 8)
                        .remote(pair.right()
                                .memory()
                                .remote())
                        .post()),
                "receive", () -> end.postReceives(batch -> batch.receive(region, 0, 8))));
        assertThatThrownBy(() -> region.segment().get(ValueLayout.JAVA_BYTE, 0))
                .isInstanceOf(IllegalStateException.class);
        assertThat(region.length()).isEqualTo(64 * 1024);
    }

    @Test
    void ofAQueuePair() {
        var queuePair = end.queuePair();
        queuePair.close();

        assertRefused(queuePair, Map.of(
                "beginSend", queuePair::beginSend,
                "beginReceive", queuePair::beginReceive,
                "post", () -> queuePair.post(),
                "query", queuePair::query,
                "modify",
                () -> queuePair.modify(QueuePairAttributes.builder()
                        .state(QueuePairState.ERR)
                        .build())));
        assertThat(queuePair.number()).isPositive();
        assertThat(queuePair.capabilities().maxSendWorkRequests()).isPositive();
    }

    @Test
    void ofASharedReceiveQueue() {
        assertThat(end.context().supports(Feature.SHARED_RECEIVE_QUEUE)).isTrue();
        var queue = end.domain().createSharedReceiveQueue(16, 1);
        queue.close();

        assertRefused(queue, Map.of(
                "beginReceive", queue::beginReceive,
                "query", queue::query,
                "resize", () -> queue.resize(32),
                "armLimit", () -> queue.armLimit(1),
                "queuePair", () -> end.domain()
                        .reliableConnection(end.queue())
                        .sharedReceiveQueue(queue)
                        .create()));
    }

    @Test
    @NotOverSiw("no datagrams")
    void ofAnAddressHandle() {
        var handle = end.domain()
                .createAddressHandle(AddressVector.roce(1, 1, end.context().gid(1, 1).gid()));
        var queuePair = end.domain().datagram(end.queue()).prepare().start();
        handle.close();

        try (var batch = queuePair.beginSend()) {
            assertThatThrownBy(() -> batch.to(handle, 17, 0)
                    .send()
                    .local(end.memory(), 0, 8)
                    .post())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
        }
    }

    private static void assertRefused(VerbsObject object, Map<String, ThrowingCallable> calls) {
        assertThat(object.isClosed()).isTrue();
        assertThatCode(object::close).as("closing once more").doesNotThrowAnyException();
        calls.forEach((name, call) -> assertThatThrownBy(call)
                .as(name)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(object + " is closed"));
    }
}
