// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

import io.verbs4j.types.Access;

/// A memory region (`struct rxe_mr`). Local and remote key are the same.
public final class Region {
    private static final long PAGE = 4096;

    final int index;
    final int key;
    final long start;
    final long length;
    final long iova;
    Domain domain;
    int access;
    /// Windows that are bound to it.
    int windows;

    Region(int index, int key, Domain domain, long start, long length, long iova, int access) {
        this.index = index;
        this.key = key;
        this.domain = domain;
        this.start = start;
        this.length = length;
        this.iova = iova;
        this.access = access;
    }

    /// Its key.
    public int key() {
        return key;
    }

    /// Bytes.
    public long length() {
        return length;
    }

    /// The address of its first byte in work requests.
    public long iova() {
        return iova;
    }

    /// Rights.
    public int access() {
        return access;
    }

    /// Changes what a re-registration may change.
    public void change(Domain newDomain, int newAccess) {
        domain = newDomain;
        access = newAccess;
    }

    /// Windows that are bound to it.
    public int windows() {
        return windows;
    }

    /// Returns whether a range lies in it.
    boolean holds(long address, long bytes) {
        return address >= iova && bytes <= length && address - iova <= length - bytes;
    }

    /// Returns a byte's address for copying. In memory that is paged on demand, rxe copies to the start of a page
    /// (`rxe_odp_mr_copy`, rxe_odp.c).
    long at(long address) {
        return start + (address - iova);
    }

    boolean isOnDemand() {
        return (access & Access.ON_DEMAND.value()) != 0;
    }

    /// Returns the address for a packet's bytes that the peer or the responder brings.
    long target(long address) {
        long real = at(address);
        return isOnDemand() ? Math.max(real & -PAGE, start) : real;
    }
}
