// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import java.nio.channels.SelectionKey;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;

/// The keys of a channel.
final class ChannelKeys {
    private final Set<MixedKey> keys = new CopyOnWriteArraySet<>();

    void attach(MixedKey key) {
        keys.add(key);
    }

    void detach(MixedKey key) {
        keys.remove(key);
    }

    boolean areSeveral() {
        return keys.size() > 1;
    }

    /// Signals all keys to their selectors.
    void signal() {
        keys.forEach(MixedKey::signal);
    }

    /// Cancels the JDK's inner keys of all keys that are cancelled but still registered. Otherwise the channel could
    /// not become blocking.
    void cancelInner() {
        for (MixedKey key : keys) {
            SelectionKey inner = key.inner();
            if (inner != null && !key.isValid()) {
                inner.cancel();
            }
        }
    }
}
