// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.pyverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.CompletionRecord;
import io.verbs4j.tests.support.End;
import io.verbs4j.types.Access;
import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.OptionalInt;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/// Two players that are connected, and the traffic that the suite's scenarios consist of.
final class Players implements AutoCloseable {
    /// Exchanges per scenario: the suite has 10 to 100, which prove nothing more.
    static final int EXCHANGES = 5;

    /// For values at any place.
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    private final Player client;
    private final Player server;

    /// Sends a player's message to the other one.
    @FunctionalInterface
    interface Sending {
        void send(Player from, int queuePair);
    }

    /// A one-sided operation of a player.
    @FunctionalInterface
    interface Operation {
        End.Send of(Player player);
    }

    /// An atomic operation.
    enum Atomic {
        COMPARE_AND_SWAP,
        FETCH_AND_ADD
    }

    private Players(Player client, Player server) {
        this.client = client;
        this.server = server;
    }

    static Players of(Setup setup) {
        return of(setup, setup);
    }

    /// Players that differ.
    static Players of(Setup clients, Setup servers) {
        var client = new Player(clients, 'c');
        Player server = null;
        try {
            server = new Player(servers, 's');
            client.connect(server);
            server.connect(client);
            return new Players(client, server);
        } catch (RuntimeException | Error e) {
            client.close();
            if (server != null) {
                server.close();
            }
            throw e;
        }
    }

    /// Runs traffic that must end with a failed work request.
    static void assertFails(CompletionStatus status, ThrowingCallable traffic) {
        assertThatThrownBy(traffic)
                .isInstanceOfSatisfying(
                        Player.FailedCompletion.class,
                        failure -> assertThat(failure.status()).isEqualTo(status));
    }

    Player client() {
        return client;
    }

    Player server() {
        return server;
    }

    List<Player> both() {
        return List.of(client, server);
    }

    Player other(Player player) {
        return player == client ? server : client;
    }

    /// Messages to and fro on all queue pairs.
    void exchangeMessages() {
        exchangeMessages(
                (from, index) -> from.post(
                        index, batch -> batch.send()
                                .local(from.memory(), from.payloadOffset(), from.messageSize())
                                .post()),
                OptionalInt.empty());
    }

    /// Exchanges messages on all queue pairs, one at a time.
    ///
    /// @param immediateData immediate data in the receiver's completion, if any
    void exchangeMessages(Sending sending, OptionalInt immediateData) {
        int queuePairs = client.queuePairs().size();
        for (int index = 0; index < queuePairs; index++) {
            client.postReceive(index);
            server.postReceive(index);
        }
        for (int exchange = 0; exchange < EXCHANGES; exchange++) {
            for (int index = 0; index < queuePairs; index++) {
                for (Player from : both()) {
                    Player to = other(from);
                    both().forEach(Player::fill);
                    sending.send(from, index);
                    from.complete();
                    CompletionRecord received = to.complete();
                    assertThat(received.byteLength()).isEqualTo(from.payloadOffset() + from.messageSize());
                    assertThat(received.hasImmediateData()).isEqualTo(immediateData.isPresent());
                    immediateData.ifPresent(
                            data -> assertThat(received.immediateDataOrKey()).isEqualTo(data));
                    to.assertHoldsMessageOf(from);
                    to.postReceive(index);
                }
            }
        }
    }

    /// Writes to and fro.
    void exchangeWrites() {
        exchangeWrites(
                player -> batch -> batch.write()
                        .local(player.memory(), 0, player.messageSize())
                        .remote(player.target())
                        .post());
    }

    /// Writes to and fro by another operation.
    void exchangeWrites(Operation operation) {
        for (int exchange = 0; exchange < EXCHANGES; exchange++) {
            for (Player player : both()) {
                both().forEach(Player::fill);
                player.post(operation.of(player));
                player.complete();
                other(player).assertHoldsMessageOf(player);
            }
        }
    }

    /// Reads to and fro.
    void exchangeReads() {
        for (int exchange = 0; exchange < EXCHANGES; exchange++) {
            for (Player player : both()) {
                both().forEach(Player::fill);
                player.post(batch -> batch.read()
                        .local(player.memory(), 0, player.messageSize())
                        .remote(player.target())
                        .post());
                player.complete();
                player.assertHoldsMessageOf(other(player));
            }
        }
    }

    /// Exchanges atomics, one at a time. Each operand is one byte repeated eight times.
    ///
    /// @param present value of the target
    /// @param operand value to compare with and replace by 0, or to add
    void exchangeAtomics(Atomic atomic, int present, int operand) {
        long value = eightTimes(operand);
        for (int exchange = 0; exchange < EXCHANGES; exchange++) {
            for (Player player : both()) {
                player.fill(operand);
                other(player).fill(present);
                player.post(batch -> switch (atomic) {
                    case COMPARE_AND_SWAP -> batch.compareAndSwap(value, 0)
                            .local(player.memory(), 0, Long.BYTES)
                            .remote(player.target())
                            .post();
                    case FETCH_AND_ADD -> batch.fetchAndAdd(value)
                            .local(player.memory(), 0, Long.BYTES)
                            .remote(player.target())
                            .post();
                });
                player.complete();
                assertThat(first(player)).isEqualTo(eightTimes(present));
                assertThat(first(other(player)))
                        .isEqualTo(
                                switch (atomic) {
                                    case COMPARE_AND_SWAP -> present == operand ? 0 : eightTimes(present);
                                    case FETCH_AND_ADD -> eightTimes(present) + value;
                                });
            }
        }
    }

    private static long first(Player player) {
        return player.memory().segment().get(LONG, 0);
    }

    private static long eightTimes(int value) {
        return value * 0x0101_0101_0101_0101L;
    }

    /// Changes the rights of both players' memory.
    void changeAccess(Access... access) {
        both().forEach(player -> player.memory().changeAccess(access));
    }

    /// Brings both queue pairs from ERR back to RTS.
    void reconnect() {
        both().forEach(player -> player.queuePair()
                .modify(QueuePairAttributes.builder().state(QueuePairState.RESET).build()));
        both().forEach(player -> player.restart(other(player)));
    }

    @Override
    public void close() {
        try (
                Player _ = client;
                Player _ = server) {
            // Both are closed, also if one of them fails.
        }
    }
}
