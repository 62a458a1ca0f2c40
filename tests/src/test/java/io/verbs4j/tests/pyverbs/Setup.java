// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.pyverbs;

import io.verbs4j.QueuePairBuilder;
import io.verbs4j.types.Access;
import io.verbs4j.types.QueuePairType;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.UnaryOperator;

/// The parameters of a scenario's two players.
///
/// @param type transport of the queue pairs
/// @param messageSize bytes of a message
/// @param access access rights of the memory
/// @param polling the way of polling
/// @param queuePairs number of queue pairs of each player
/// @param shared whether they use a shared receive queue
/// @param queuePair changes to the queue pairs
record Setup(
        QueuePairType type,
        int messageSize,
        Set<Access> access,
        Polling polling,
        int queuePairs,
        boolean shared,
        UnaryOperator<QueuePairBuilder> queuePair) {
    /// Bytes of a message, if nothing else is said.
    static final int MESSAGE_SIZE = 1024;

    /// Ways to take completions.
    enum Polling {
        /// By a handler.
        HANDLER,
        /// One by one.
        CURSOR,
        /// By a handler, each when a completion channel has an event of it.
        EVENTS
    }

    /// Queue pairs of any transport over memory that only we can write to.
    static Setup of(QueuePairType type) {
        return new Setup(
                type,
                MESSAGE_SIZE,
                EnumSet.of(Access.LOCAL_WRITE),
                Polling.HANDLER,
                1,
                false,
                UnaryOperator.identity());
    }

    /// A reliable connection.
    static Setup rc() {
        return of(QueuePairType.RC);
    }

    /// Datagrams.
    static Setup ud() {
        return of(QueuePairType.UD);
    }

    /// With other messages, of [#MESSAGE_SIZE] at most.
    Setup messages(int bytes) {
        return new Setup(type, bytes, access, polling, queuePairs, shared, queuePair);
    }

    /// With more rights of the memory.
    Setup with(Access... rights) {
        var all = EnumSet.copyOf(access);
        all.addAll(Set.of(rights));
        return new Setup(type, messageSize, all, polling, queuePairs, shared, queuePair);
    }

    /// With completions taken in another way.
    Setup polling(Polling kind) {
        return new Setup(type, messageSize, access, kind, queuePairs, shared, queuePair);
    }

    /// With several queue pairs on one shared receive queue.
    Setup sharing(int count) {
        return new Setup(type, messageSize, access, polling, count, true, queuePair);
    }

    /// With other queue pairs.
    Setup queuePair(UnaryOperator<QueuePairBuilder> change) {
        return new Setup(type, messageSize, access, polling, queuePairs, shared, change);
    }
}
