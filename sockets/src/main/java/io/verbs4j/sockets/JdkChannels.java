// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import org.jspecify.annotations.Nullable;

/// The JDK's own channels, such as pipes, in the inner selector of a [MixedSelector].
///
/// The JDK frees a closed channel when a selector of the JDK removes the channel's last key. The inner selector may
/// remove its key while the channel still has the key of the [MixedSelector]. Therefore each channel also has a key of
/// a second selector of the JDK. The second selector never waits, and removes its keys last.
final class JdkChannels {
    private final Selector inner;
    private @Nullable Selector second; // guarded by this
    private boolean closed; // guarded by this

    JdkChannels(Selector inner) {
        this.inner = inner;
    }

    /// Registers a channel. The caller holds the channel's locks, which a selector may wait for. Therefore this class
    /// calls no selector in its own monitor.
    SelectionKey register(SelectableChannel channel, MixedKey key) {
        try {
            Selector last = open();
            channel.register(last, 0);
            return channel.register(inner, 0, key);
        } catch (ClosedChannelException e) {
            throw new CancelledKeyException();
        } catch (IOException e) { // no file descriptor is left
            throw new UncheckedIOException(e);
        }
    }

    private synchronized Selector open() throws IOException {
        if (closed) {
            throw new ClosedSelectorException();
        }
        Selector last = second;
        if (last == null) {
            last = JdkProvider.get().openSelector();
            second = last;
        }
        return last;
    }

    private synchronized @Nullable Selector second() {
        return second;
    }

    /// Cancels the second selector's key of a channel, if there is one.
    void cancel(SelectableChannel channel) {
        Selector last = second();
        SelectionKey key = last == null ? null : channel.keyFor(last);
        if (key != null) {
            key.cancel();
        }
    }

    /// Removes cancelled keys. Called after the inner selector has removed its cancelled keys.
    void flush() throws IOException {
        Selector last = second();
        if (last != null) {
            last.selectNow();
        }
    }

    /// Closes the second selector. Called after the inner selector was closed.
    void close() throws IOException {
        Selector last;
        synchronized (this) {
            closed = true;
            last = second;
        }
        if (last != null) {
            last.close();
        }
    }
}
