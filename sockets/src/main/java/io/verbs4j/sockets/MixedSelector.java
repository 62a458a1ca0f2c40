// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelectionKey;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A selector for channels over RDMA, channels over TCP, and the JDK's own channels. The selector waits in a selector
/// of the JDK, the inner selector. The inner selector also waits for [completion events][NestedEvents].
///
/// A key that has changed or may be ready over RDMA is a candidate. The selector checks all candidates before and after
/// each wait. A ready key stays a candidate. If a channel becomes ready while the selector waits, the thread that has
/// detected this wakes the inner selector. The selector then checks the candidates again. If no key is ready, the
/// selector waits for the rest of the timeout. While no channel changes, this class allocates nothing in a select. The
/// JDK's inner selector may allocate.
final class MixedSelector extends AbstractSelector {
    private static final long NO_TIMEOUT = -1;

    private final Selector inner;
    private final NestedEvents events;
    private final JdkChannels jdkChannels;
    private final Set<SelectionKey> keys = ConcurrentHashMap.newKeySet();
    private final Set<SelectionKey> publicKeys = Collections.unmodifiableSet(keys);
    private final Set<SelectionKey> selected = Collections.newSetFromMap(new IdentityHashMap<>()); // unlike a HashSet, allocates no entries
    private final Set<SelectionKey> publicSelected = new UngrowableSet<>(selected);
    private final KeyStack candidates = new KeyStack();
    private final Consumer<SelectionKey> collecting = this::collect;
    private final List<MixedKey> found = new ArrayList<>(); // guarded by this
    private boolean hasEvents; // guarded by this
    private boolean selecting; // guarded by this
    private volatile boolean waiting;
    private volatile boolean woken;

    MixedSelector(SelectorProvider provider) throws IOException {
        super(provider);
        this.inner = JdkProvider.get().openSelector();
        this.events = new NestedEvents(inner);
        this.jdkChannels = new JdkChannels(inner);
    }

    @Override
    protected SelectionKey register(AbstractSelectableChannel channel, int ops, @Nullable Object attachment) {
        var key = new MixedKey(this, channel);
        key.attach(attachment);
        MixedSelectable mixed = key.mixed();
        if (mixed == null) {
            key.inner(jdkChannels.register(channel, key));
        } else {
            mixed.attach(key);
        }
        keys.add(key);
        if (!isOpen()) { // closing may have missed the key
            keys.remove(key);
            key.cancelInner();
            if (mixed != null) {
                mixed.detach(key);
            }
            throw new ClosedSelectorException();
        }
        try {
            key.interestOps(ops);
        } catch (CancelledKeyException e) {
            // Another thread has found the key in the set of keys, and cancelled it.
        }
        return key;
    }

    /// Records that the interest of a key has changed. The next select uses the new interest.
    void changed(MixedKey key) {
        key.changed(true);
        if (key.enter()) {
            push(key);
        }
    }

    /// Records that a channel may be ready for more operations, or has obtained an inner channel.
    void signal(MixedKey key) {
        MixedSelectable mixed = key.mixed();
        if (mixed != null && mixed.inner() != null && key.inner() == null) {
            key.changed(true);
        }
        key.setSignalled();
        if (key.enter()) {
            push(key);
        } else {
            wakeInner();
        }
    }

    /// Makes a key a candidate. This thread has marked the key. If another thread signals the key before the push, its
    /// wake-up may come too early for the selector to find the key. Therefore this thread wakes the selector again.
    void push(MixedKey key) {
        candidates.push(key);
        if (key.isSignalled()) {
            wakeInner();
        }
    }

    private void wakeInner() {
        if (waiting) {
            inner.wakeup();
        }
    }

    @Override
    public Set<SelectionKey> keys() {
        requireOpen();
        return publicKeys;
    }

    @Override
    public Set<SelectionKey> selectedKeys() {
        requireOpen();
        return publicSelected;
    }

    private void requireOpen() {
        if (!isOpen()) {
            throw new ClosedSelectorException();
        }
    }

    @Override
    public int selectNow() throws IOException {
        return selectKeys(null, 0);
    }

    @Override
    public int select() throws IOException {
        return selectKeys(null, NO_TIMEOUT);
    }

    @Override
    public int select(long timeout) throws IOException {
        return selectKeys(null, nanos(timeout));
    }

    @Override
    public int selectNow(Consumer<SelectionKey> action) throws IOException {
        return selectKeys(Objects.requireNonNull(action), 0);
    }

    @Override
    public int select(Consumer<SelectionKey> action) throws IOException {
        return selectKeys(Objects.requireNonNull(action), NO_TIMEOUT);
    }

    @Override
    public int select(Consumer<SelectionKey> action, long timeout) throws IOException {
        return selectKeys(Objects.requireNonNull(action), nanos(timeout));
    }

    private static long nanos(long timeout) {
        if (timeout < 0) {
            throw new IllegalArgumentException("timeout=" + timeout + " is negative");
        }
        return timeout == 0 ? NO_TIMEOUT : TimeUnit.MILLISECONDS.toNanos(timeout);
    }

    private int selectKeys(@Nullable Consumer<SelectionKey> action, long timeout) throws IOException {
        synchronized (this) {
            requireOpen();
            if (selecting) {
                throw new IllegalStateException("a select of this selector is in progress in this thread");
            }
            selecting = true;
            try {
                synchronized (publicSelected) {
                    flushCancelled();
                    doSelect(timeout);
                    flushCancelled();
                    return publish(action);
                }
            } finally {
                found.forEach(key -> key.found(0));
                found.clear();
                selecting = false;
            }
        }
    }

    /// Collects the ready keys, and waits if none is ready. The JDK's test SelectorOps looks in a thread's stack for a
    /// method of this name: the JDK's selectors have one.
    private void doSelect(long timeout) throws IOException {
        boolean blocks = timeout != 0;
        try {
            long deadline = timeout > 0 ? System.nanoTime() + timeout : 0;
            while (true) {
                look();
                boolean waits = blocks && found.isEmpty() && !isToReturn();
                long left = waits && timeout > 0 ? deadline - System.nanoTime() : Long.MAX_VALUE;
                waits &= left > 0;
                if (waits) {
                    awaitInside(left);
                } else if (!inner.keys().isEmpty()) {
                    inner.selectNow(collecting);
                }
                if (hasEvents) {
                    hasEvents = false;
                    events.handle(); // makes keys candidates
                }
                look();
                if (!waits || !found.isEmpty()) {
                    return;
                }
            }
        } finally {
            woken = false;
        }
    }

    private boolean isToReturn() {
        return woken || !isOpen() || Thread.currentThread().isInterrupted();
    }

    /// Waits in the inner selector, which an interrupt wakes.
    private void awaitInside(long left) throws IOException {
        waiting = true;
        try {
            if (!candidates.isEmpty() || isToReturn()) {
                inner.selectNow(collecting);
            } else { // 0 is no limit
                inner.select(collecting, left == Long.MAX_VALUE ? 0 : TimeUnit.NANOSECONDS.toMillis(left - 1) + 1);
            }
        } finally {
            waiting = false;
        }
    }

    private void applyChange(MixedKey key, @Nullable MixedSelectable mixed) throws IOException {
        key.changed(false);
        if (mixed != null) {
            join(key, mixed.inner());
            events.add(mixed);
        }
        key.applyInterest();
    }

    /// Registers the inner channel with the inner selector, as soon as there is an inner channel.
    private void join(MixedKey key, @Nullable SelectableChannel channel) throws IOException {
        if (channel == null || key.inner() != null) {
            return;
        }
        try {
            SelectionKey before = channel.keyFor(inner);
            if (before != null && !before.isValid()) {
                inner.selectNow(collecting); // removes the cancelled key
            }
            key.inner(channel.register(inner, 0, key));
        } catch (ClosedChannelException | CancelledKeyException | IllegalBlockingModeException e) {
            // Closed, or no longer this selector's.
        }
    }

    /// Checks the candidates.
    private void look() throws IOException {
        candidates.take();
        for (MixedKey key = candidates.next(); key != null; key = candidates.next()) {
            if (!key.isValid()) {
                continue;
            }
            MixedSelectable mixed = key.mixed();
            if (key.isChanged()) {
                applyChange(key, mixed);
            }
            int ready = mixed == null ? 0 : mixed.readyOps() & key.interest();
            if (ready != 0) {
                find(key, ready);
                if (key.enter()) {
                    candidates.push(key);
                }
            }
        }
    }

    /// Takes a ready key of the inner selector.
    void collect(SelectionKey one) {
        if (one.attachment() instanceof MixedKey key) {
            find(key, key.innerReady(one));
        } else if (one.attachment() == events) {
            hasEvents = true;
        }
    }

    private void find(MixedKey key, int ready) {
        if (ready != 0) {
            if (key.found() == 0) {
                found.add(key);
            }
            key.found(key.found() | ready);
        }
    }

    private int publish(@Nullable Consumer<SelectionKey> action) {
        int count = 0;
        for (int i = 0; i < found.size(); i++) { // an iterator would be allocated
            MixedKey key = found.get(i);
            int ready = key.found() & key.interest();
            if (ready == 0 || !key.isValid()) {
                continue;
            }
            if (action != null) {
                key.ready(ready);
                action.accept(key);
                requireOpen();
                count++;
            } else if (selected.add(key)) {
                key.ready(ready);
                count++;
            } else if ((ready & ~key.ready()) != 0) {
                key.ready(key.ready() | ready);
                count++;
            }
        }
        return count;
    }

    private void flushCancelled() throws IOException {
        Set<SelectionKey> cancelled = cancelledKeys();
        List<SelectionKey> flushed;
        synchronized (cancelled) {
            if (cancelled.isEmpty()) {
                return;
            }
            flushed = new ArrayList<>(cancelled);
            cancelled.clear();
        }
        boolean inside = false;
        for (SelectionKey one : flushed) {
            MixedKey key = (MixedKey) one;
            inside |= key.inner() != null;
            forget(key);
            selected.remove(key);
        }
        if (inside) {
            inner.selectNow(collecting); // removes cancelled keys
            jdkChannels.flush();
        }
    }

    private void forget(MixedKey key) {
        keys.remove(key);
        key.cancelInner();
        MixedSelectable mixed = key.mixed();
        if (mixed != null) {
            mixed.detach(key);
        } else {
            jdkChannels.cancel(key.channel());
        }
        deregister((AbstractSelectionKey) key);
    }

    @Override
    public Selector wakeup() {
        woken = true;
        wakeInner();
        return this;
    }

    @Override
    protected void implCloseSelector() throws IOException {
        wakeup();
        synchronized (this) {
            synchronized (publicSelected) {
                for (SelectionKey key : keys) {
                    forget((MixedKey) key);
                }
                selected.clear();
                events.close();
                inner.close();
                jdkChannels.close();
            }
        }
    }

    @Override
    public String toString() {
        return "selector of " + keys.size() + " channels over RDMA and TCP";
    }
}
