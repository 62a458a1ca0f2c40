// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.AddressHandle;
import io.verbs4j.AsyncEvents;
import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.PreparedQueuePair;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.VerbsObject;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The table of operations covers the API. A new public method is added to [Operation], or here to those that make no
/// system call.
class OperationsTest {
    private static final List<Class<?>> TYPES = List.of(
            AddressHandle.class,
            AsyncEvents.class,
            CompletionChannel.class,
            CompletionQueue.class,
            Context.class,
            MemoryRegion.class,
            MemoryWindow.class,
            PreparedQueuePair.class,
            ProtectionDomain.class,
            QueuePair.class,
            SharedReceiveQueue.class);

    /// They answer from what is known, write to memory, or make what is in the table.
    private static final Set<String> WITHOUT_SYSTEM_CALL = Set.of(
            "AddressHandle.path",
            "AddressHandle.protectionDomain",
            "AsyncEvents.fileDescriptor",
            "AsyncEvents.forEach", // polls
            "CompletionChannel.context",
            "CompletionChannel.fileDescriptor",
            "CompletionQueue.beginPoll",
            "CompletionQueue.capacity",
            "CompletionQueue.channel",
            "CompletionQueue.context",
            "CompletionQueue.readRing",
            "Context.asyncEvents",
            "Context.attributes",
            "Context.completionVectors",
            "Context.device",
            "Context.hardwareCounters", // reads files of sysfs
            "Context.providerName",
            "Context.require",
            "Context.supports", // asks when the device is opened, or by a probe of which every answer is one
            "MemoryRegion.access",
            "MemoryRegion.address",
            "MemoryRegion.length",
            "MemoryRegion.local",
            "MemoryRegion.localKey",
            "MemoryRegion.protectionDomain",
            "MemoryRegion.remote",
            "MemoryRegion.remoteKey",
            "MemoryRegion.segment",
            "MemoryRegion.slice",
            "MemoryWindow.protectionDomain",
            "MemoryWindow.remote",
            "MemoryWindow.remoteKey",
            "MemoryWindow.type",
            "PreparedQueuePair.beginReceive",
            "PreparedQueuePair.close", // closes the queue pair
            "PreparedQueuePair.endpoint",
            "PreparedQueuePair.gidSelection",
            "PreparedQueuePair.readReceiveRing",
            "ProtectionDomain.context",
            "ProtectionDomain.datagram",
            "ProtectionDomain.queuePair",
            "ProtectionDomain.reliableConnection",
            "ProtectionDomain.unreliableConnection",
            "QueuePair.beginReceive",
            "QueuePair.capabilities",
            "QueuePair.noteState",
            "QueuePair.number",
            "QueuePair.post", // begins and submits a batch
            "QueuePair.protectionDomain",
            "QueuePair.readReceiveRing",
            "QueuePair.readSendRing",
            "QueuePair.receiveCompletionQueue",
            "QueuePair.sendCompletionQueue",
            "QueuePair.sharedReceiveQueue",
            "QueuePair.state",
            "QueuePair.type",
            "SharedReceiveQueue.beginReceive",
            "SharedReceiveQueue.capacity",
            "SharedReceiveQueue.number",
            "SharedReceiveQueue.protectionDomain",
            "SharedReceiveQueue.readRing");

    private static Set<String> operations() {
        return Arrays.stream(Operation.values()).map(Operation::method).collect(Collectors.toCollection(TreeSet::new));
    }

    private static Stream<String> methodsOf(Class<?> type) {
        Stream<String> close = VerbsObject.class.isAssignableFrom(type) ? Stream.of("close") : Stream.of();
        return Stream.concat(
                Arrays.stream(type.getDeclaredMethods())
                        .filter(method -> Modifier.isPublic(method.getModifiers())
                                && !Modifier.isStatic(method.getModifiers())
                                && !method.isSynthetic())
                        .map(Method::getName)
                        .filter(name -> !name.equals("toString")),
                close)
                .map(name -> type.getSimpleName() + "." + name);
    }

    @Test
    void haveEveryPublicMethodOfTheObjects() {
        var listed = new TreeSet<>(operations());
        listed.addAll(WITHOUT_SYSTEM_CALL);
        listed.removeIf(name -> name.startsWith("QueuePairBuilder."));
        assertThat(TYPES.stream().flatMap(OperationsTest::methodsOf).collect(Collectors.toSet()))
                .containsExactlyInAnyOrderElementsOf(listed);
    }

    @Test
    void listsHaveNothingInCommon() {
        assertThat(operations()).doesNotContainAnyElementsOf(WITHOUT_SYSTEM_CALL);
    }

    @Test
    void everyKindOfObjectIsLookedAt() {
        assertThat(TYPES).contains(VerbsObject.class.getPermittedSubclasses());
    }
}
