// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.bench;

import io.verbs4j.Context;
import io.verbs4j.QueuePair;

/// A driver's rings without a driver. One store per consumed or written element simulates the kernel or the card.
interface PlayedRings {
    /// Opens a context over them.
    Context open();

    /// Brings a queue pair to the state in which it sends.
    void start(QueuePair queuePair);

    /// The sends that were posted last are taken: their slots are free, if this driver has no other way to free them.
    void take(int count);

    /// Completions are written: of the oldest sends that have none, where a completion names its send.
    void complete(int count);
}
