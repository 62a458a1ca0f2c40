// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import java.nio.channels.SelectableChannel;
import org.jspecify.annotations.Nullable;

/// A channel whose readiness a [MixedSelector] finds without a descriptor, by one of the JDK's channels inside, or both ways.
interface MixedSelectable {
    /// Returns the operations that the part over RDMA is ready for.
    int readyOps();

    /// Returns the JDK's channel inside that is to be registered with the JDK's selector; null if there is none.
    @Nullable
    SelectableChannel inner();

    /// Notes a key, which is to be signalled when the channel becomes ready.
    void attach(MixedKey key);

    /// Forgets a key.
    void detach(MixedKey key);
}
