// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import java.util.AbstractSet;
import java.util.Collection;
import java.util.Iterator;
import java.util.Set;

/// A view of a set that supports removing elements, but not adding them.
final class UngrowableSet<E> extends AbstractSet<E> {
    private final Set<E> set;

    UngrowableSet(Set<E> set) {
        this.set = set;
    }

    @Override
    public Iterator<E> iterator() {
        return set.iterator();
    }

    @Override
    public int size() {
        return set.size();
    }

    @Override
    public boolean contains(Object element) {
        return set.contains(element);
    }

    @Override
    public boolean remove(Object element) {
        return set.remove(element);
    }

    @Override
    public void clear() {
        set.clear();
    }

    @Override
    public boolean add(E element) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean addAll(Collection<? extends E> elements) {
        throw new UnsupportedOperationException();
    }
}
