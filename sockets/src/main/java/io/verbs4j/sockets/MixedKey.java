// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectionKey;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// A channel's registration with a [MixedSelector].
final class MixedKey extends AbstractSelectionKey {
    private final MixedSelector selector;
    private final SelectableChannel channel;
    private final AtomicBoolean entered = new AtomicBoolean();
    private @Nullable MixedKey below; // written by the thread that pushes the key to a stack
    private volatile boolean changed;
    private volatile boolean signalled;
    private int found; // guarded by the selector
    private volatile int interest;
    private volatile int ready;
    /// The key of the inner channel, registered with the selector's inner selector.
    private volatile @Nullable SelectionKey inner;

    MixedKey(MixedSelector selector, SelectableChannel channel) {
        this.selector = selector;
        this.channel = channel;
    }

    @Override
    public SelectableChannel channel() {
        return channel;
    }

    @Override
    public Selector selector() {
        return selector;
    }

    private void requireValid() {
        if (!isValid()) {
            throw new CancelledKeyException();
        }
    }

    @Override
    public int interestOps() {
        requireValid();
        return interest;
    }

    @Override
    public SelectionKey interestOps(int ops) {
        requireValid();
        if ((ops & ~channel.validOps()) != 0) {
            throw new IllegalArgumentException("ops=" + ops + " are not all of " + channel.validOps());
        }
        interest = ops;
        selector.changed(this);
        return this;
    }

    @Override
    public int readyOps() {
        requireValid();
        return ready;
    }

    int interest() {
        return interest;
    }

    int ready() {
        return ready;
    }

    void ready(int ops) {
        ready = ops;
    }

    @Nullable
    MixedSelectable mixed() {
        return channel instanceof MixedSelectable mixed ? mixed : null;
    }

    @Nullable
    SelectionKey inner() {
        return inner;
    }

    void inner(SelectionKey key) {
        inner = key;
    }

    /// Returns the operations for which the inner key is ready, and in which the program is interested. The interest
    /// may have changed during the select. Another thread may cancel the inner key at any time: it is then not ready.
    int innerReady(SelectionKey innerKey) {
        try {
            return innerKey.readyOps() & interest;
        } catch (CancelledKeyException e) {
            return 0;
        }
    }

    /// Passes the interest to the key of the inner channel, if there is one.
    void applyInterest() {
        SelectionKey key = inner;
        if (key != null) {
            try {
                key.interestOps(interest);
            } catch (CancelledKeyException e) {
                // The channel was closed.
            }
        }
    }

    void cancelInner() {
        SelectionKey key = inner;
        if (key != null) {
            key.cancel();
        }
    }

    /// Marks the key as an element of a [KeyStack].
    ///
    /// @return false if it was marked already
    boolean enter() {
        return entered.compareAndSet(false, true);
    }

    void below(@Nullable MixedKey key) {
        below = key;
    }

    /// Removes the mark, and forgets a signal.
    ///
    /// @return the key below
    @Nullable
    MixedKey leave() {
        MixedKey next = below;
        below = null;
        signalled = false;
        entered.set(false);
        return next;
    }

    /// Records that the selector has to check the key even while it waits.
    void setSignalled() {
        signalled = true;
    }

    boolean isSignalled() {
        return signalled;
    }

    /// Sets whether the interest has changed, or the channel has obtained an inner channel.
    void changed(boolean value) {
        changed = value;
    }

    boolean isChanged() {
        return changed;
    }

    /// Sets the operations that the select in progress has found.
    void found(int ops) {
        found = ops;
    }

    int found() {
        return found;
    }

    /// Records that the channel may be ready for more operations, or has obtained an inner channel.
    void signal() {
        selector.signal(this);
    }
}
