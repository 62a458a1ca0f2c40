// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import java.nio.channels.SelectableChannel;
import org.jspecify.annotations.Nullable;

/// A channel in a [MixedSelector]. Its readiness comes from a state without a descriptor, from one of the JDK's channels inside, or from
/// both.
interface MixedSelectable {
    /// Returns the operations that the RDMA part of the channel is ready for.
    int readyOps();

    /// Returns the JDK's channel to be registered with the JDK's selector; null if there is none.
    @Nullable
    SelectableChannel inner();

    /// Adds a key, which is signalled when the channel becomes ready.
    void attach(MixedKey key);

    /// Removes a key.
    void detach(MixedKey key);
}
