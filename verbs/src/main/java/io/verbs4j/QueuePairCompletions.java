// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.spi.ProviderQueuePair;

/// The completions of a queue pair in its two completion queues, which may be the same queue. Some devices require that
/// the queues drop these completions when the queue pair is destroyed or reset.
final class QueuePairCompletions {
    private final ProviderQueuePair provider;
    private final CompletionQueue sendQueue;
    private final CompletionQueue receiveQueue;
    private final CompletionQueue.Forgotten sendsForgotten;
    private final CompletionQueue.Forgotten receivesForgotten;
    /// Whether a reset excludes polls.
    private final boolean stopsPolls;

    QueuePairCompletions(ProviderQueuePair provider, CompletionQueue sendQueue, CompletionQueue receiveQueue) {
        this.provider = provider;
        this.sendQueue = sendQueue;
        this.receiveQueue = receiveQueue;
        this.sendsForgotten = new CompletionQueue.Forgotten(provider);
        this.receivesForgotten = new CompletionQueue.Forgotten(provider);
        this.stopsPolls = provider.resetExcludesPolls();
    }

    /// Drops the completions, now or when the threads that use the queues have finished.
    void forget() {
        sendQueue.forget(sendsForgotten);
        if (receiveQueue != sendQueue) {
            receiveQueue.forget(receivesForgotten);
        }
    }

    /// Takes the locks that a reset needs: those of the queue pair and, if the device requires it, those of both
    /// completion queues.
    void stopForReset(QueuePair queuePair, BatchLock sendLock, BatchLock receiveLock) {
        if (stopsPolls) {
            BatchLock.lockAll(queuePair, sendLock, receiveLock, sendQueue.lock(), receiveQueue.lock());
        } else {
            BatchLock.lockAll(queuePair, sendLock, receiveLock);
        }
    }

    /// Drops the completions of a queue pair in RESET. If the reset stops the completion queues, drops them at once:
    /// later, the queues could already contain completions of new work.
    void forgetInReset() {
        if (stopsPolls) {
            sendQueue.provider().forget(provider);
            receiveQueue.provider().forget(provider);
        } else {
            forget();
        }
    }

    /// Releases the completion queues.
    void resumeAfterReset() {
        if (stopsPolls) {
            receiveQueue.resumeDataPath();
            sendQueue.resumeDataPath();
        }
    }
}
