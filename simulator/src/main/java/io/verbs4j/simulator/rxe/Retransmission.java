// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

import io.verbs4j.simulator.Behaviour;
import io.verbs4j.simulator.engine.Alarm;
import io.verbs4j.types.QueuePairType;

/// Times and counts of a queue pair's retransmissions: its two timers and what is left of its retries.
final class Retransmission {
    /// Timers of the kernel count in ticks of its clock, of which Debian's kernels have 250 a second.
    private static final long TICK = 4_000_000;
    /// `RNR` timer codes in units of 10 µs (IBA vol. 1, table 45).
    private static final int[] RNR_TIMES = {
            65536, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072,
            4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152
    };
    private static final int RNR_UNIT = 10_000;
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

    /// Rounds as the kernel does: down, but to no less than one.
    private static long ticks(long nanos) {
        return Math.max(nanos / TICK, 1) * TICK;
    }

    void end() {
        answerOverdue.cancel();
        peerReady.cancel();
    }

    /// Starts the timer for a packet that went out.
    void sent() {
        if (timeout != 0 && !answerOverdue.isSet()) {
            answerOverdue.set(timeout);
        }
    }

    /// Lets the timer run as long as an answer may come.
    ///
    /// @param psn the first packet without an answer
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

    /// Notes an answer that brings things forward: all retries are there again.
    void progress() {
        retries = owner.attributes.retries;
        rnrRetries = owner.attributes.rnrRetries;
        retrying = false;
    }

    /// Returns whether packets were sent again and none of them is answered yet.
    boolean isRetrying() {
        return retrying;
    }

    /// Takes one of the retries.
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

    /// Has the requester send again.
    void sendAgain() {
        owner.requester.mustRetry = true;
        retrying = true;
    }

    /// Takes one of the retries for a peer that is not ready.
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

    /// Has the requester wait for as long as the peer's answer asks for, and send again then.
    void waitForPeer(Packet answer) {
        owner.requester.waitsForPeer = true;
        peerReady.set(ticks((long) RNR_TIMES[answer.syndrome & ~Syndrome.KIND] * RNR_UNIT));
    }
}
