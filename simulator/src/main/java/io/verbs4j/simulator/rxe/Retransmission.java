// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

import io.verbs4j.roce.Aeth;
import io.verbs4j.simulator.engine.Alarm;
import io.verbs4j.simulator.profile.Behaviour;
import io.verbs4j.types.QueuePairType;

/// The retransmission state of a queue pair: two timers and the remaining retries.
final class Retransmission {
    /// Resolution of the kernel's timers in nanoseconds. Debian's kernels have 250 ticks per second.
    private static final long TICK = 4_000_000;
    private static final long NANOS_PER_MICRO = 1_000;
    private static final int ENDLESS = 7;

    private final QueuePair owner;
    private final Alarm answerOverdue;
    private final Alarm peerReady;

    private long timeout;
    private boolean timedOut;
    private int retries;
    private int rnrRetries;
    private boolean retrying;

    Retransmission(QueuePair owner) {
        this.owner = owner;
        answerOverdue = owner.simulation().alarm(() -> {
            timedOut = true;
            owner.wakeSenderByTimer();
        });
        peerReady = owner.simulation().alarm(() -> {
            owner.requester.mustRetry = true;
            owner.requester.waitsForPeer = false;
            owner.wakeSenderByTimer();
        });
    }

    void timeout(int exponent) {
        timeout = exponent == 0 ? 0 : ticks(4096L << exponent);
    }

    void retries(int count) {
        retries = count;
    }

    void rnrRetries(int count) {
        rnrRetries = count;
    }

    /// Rounds down to ticks as the kernel does, but to at least one.
    private static long ticks(long nanos) {
        return Math.max(nanos / TICK, 1) * TICK;
    }

    void end() {
        answerOverdue.cancel();
        peerReady.cancel();
    }

    /// Starts the timer for a sent packet.
    void sent() {
        if (timeout != 0 && !answerOverdue.isSet()) {
            answerOverdue.set(timeout);
        }
    }

    /// Restarts the timer if an answer is still expected.
    ///
    /// @param psn the first unanswered packet
    void keepTimer(int psn) {
        if (owner.shape.type() == QueuePairType.RC
                && timeout != 0
                && Packet.compare(owner.requester.psn, psn) > 0) {
            answerOverdue.set(timeout);
        }
    }

    /// Returns whether the timer has gone off since the last call.
    boolean takeTimeout() {
        boolean late = timedOut;
        timedOut = false;
        return late;
    }

    /// Records progress, which restores all retries.
    void progress() {
        retries = owner.attributes.retries;
        rnrRetries = owner.attributes.rnrRetries;
        retrying = false;
    }

    /// Returns whether packets were sent again, and none of them is answered yet.
    boolean isRetrying() {
        return retrying;
    }

    /// Uses one retry.
    ///
    /// @return false if none is left
    boolean takeRetry() {
        if (retries == 0) {
            return false;
        }
        if (retries != ENDLESS || !owner.device.has(Behaviour.SEVEN_RETRIES_ARE_ENDLESS)) {
            retries--;
        }
        return true;
    }

    /// Makes the requester send again.
    void sendAgain() {
        owner.requester.mustRetry = true;
        retrying = true;
    }

    /// Uses one retry for a peer that is not ready.
    ///
    /// @return false if none is left
    boolean takeRnrRetry() {
        if (rnrRetries == 0) {
            return false;
        }
        if (rnrRetries != ENDLESS) {
            rnrRetries--;
        }
        return true;
    }

    /// Makes the requester wait for the time in the peer's answer, and then send again.
    void waitForPeer(Packet answer) {
        owner.requester.waitsForPeer = true;
        peerReady.set(ticks(Aeth.rnrMicroseconds(answer.syndrome & ~Syndrome.KIND) * NANOS_PER_MICRO));
    }
}
