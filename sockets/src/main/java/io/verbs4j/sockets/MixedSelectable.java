// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import io.verbs4j.cm.CompletionWatch;
import java.nio.channels.SelectableChannel;
import org.jspecify.annotations.Nullable;

/// A channel in a [MixedSelector]. The RDMA part of a channel reports its readiness without a file descriptor. The
/// inner channel, a channel of the JDK, reports its readiness through the JDK's selector. A listener has both.
interface MixedSelectable {
    /// Returns the operations that the RDMA part of the channel is ready for.
    int readyOps();

    /// Returns the inner channel, to be registered with the JDK's selector; null if there is none.
    @Nullable
    SelectableChannel inner();

    /// Adds a key, which is signalled when the channel becomes ready.
    void attach(MixedKey key);

    /// Removes a key.
    void detach(MixedKey key);

    /// Returns whether a selector can wait for the channel's RDMA part itself.
    default boolean isWatchable() {
        return false;
    }

    /// Makes a selector wait for the channel's RDMA part itself. Does nothing if this is impossible.
    ///
    /// @param watch null to let a thread of verbs4j wait, and signal the keys
    default void watch(@Nullable CompletionWatch watch) {}
}
