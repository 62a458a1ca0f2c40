// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

import io.verbs4j.types.Access;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/// A memory region (`struct rxe_mr`). Its local and remote keys are equal.
///
/// A kernel pins the pages of a region. In the simulator, the program can unmap or free them. A packet that needs them
/// then fails, as in a region with on-demand paging.
public final class Region {
    private static final long PAGE = 4096;

    final int index;
    final int key;
    final long start;
    final long length;
    final long iova;
    Domain domain;
    int access;
    /// Number of windows bound to it.
    int windows;
    /// The memory that the program registered; null if only its address is known.
    private @Nullable MemorySegment memory;
    /// Whether the JVM detects accesses after the memory was freed.
    private boolean tracked;

    Region(int index, int key, Domain domain, long start, long length, long iova, int access) {
        this.index = index;
        this.key = key;
        this.domain = domain;
        this.start = start;
        this.length = length;
        this.iova = iova;
        this.access = access;
    }

    /// Returns the key.
    public int key() {
        return key;
    }

    /// Returns the length in bytes.
    public long length() {
        return length;
    }

    /// Returns the address of its first byte in work requests.
    public long iova() {
        return iova;
    }

    /// Returns the access rights.
    public int access() {
        return access;
    }

    /// Changes the attributes that re-registration may change.
    public void change(Domain newDomain, int newAccess) {
        domain = newDomain;
        access = newAccess;
    }

    /// Records the segment that the program registered, and keeps it reachable. Ignores a segment with another address
    /// or length.
    public void attach(MemorySegment segment) {
        if (segment.address() != start || segment.byteSize() != length) {
            return;
        }
        memory = segment;
        // A global segment may have any address. A mapped file may be truncated, and access beyond its end is an error.
        tracked = !segment.isMapped()
                && !segment.isReadOnly()
                && !segment.scope().equals(Arena.global().scope());
    }

    /// Returns the number of windows bound to it.
    public int windows() {
        return windows;
    }

    /// Returns whether it contains a range.
    boolean holds(long address, long bytes) {
        return contains(iova, length, address, bytes);
    }

    /// Returns whether a range contains another one. As in the kernel, all numbers are unsigned (`mr_check_range`,
    /// rxe_mr.c).
    static boolean contains(long start, long length, long address, long bytes) {
        return Long.compareUnsigned(bytes, length) <= 0 && Long.compareUnsigned(address - start, length - bytes) <= 0;
    }

    /// Returns the address of a byte in this process.
    long at(long address) {
        return start + (address - iova);
    }

    boolean isOnDemand() {
        return (access & Access.ON_DEMAND.value()) != 0;
    }

    /// Copies bytes of the region to a packet.
    ///
    /// @return false if the memory is gone
    boolean read(long address, byte[] to, int at, int count) {
        MemorySegment segment = memory;
        if (segment != null && isDirect(segment)) {
            try {
                MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, address - iova, to, at, count);
                return true;
            } catch (IllegalStateException freed) {
                return false;
            }
        }
        return isAlive(segment) && CheckedCopy.read(at(address), to, at, count);
    }

    /// Copies bytes of a packet to the region. In memory with on-demand paging, rxe copies to the start of a page
    /// (`rxe_odp_mr_copy`, rxe_odp.c).
    ///
    /// @return false if the memory is gone
    boolean write(byte[] from, int at, long address, int count) {
        long real = isOnDemand() ? Math.max(at(address) & -PAGE, start) : at(address);
        return writeExactly(from, at, real - start + iova, count);
    }

    /// Copies bytes as [#write] does, but to the exact address even with on-demand paging.
    boolean writeExactly(byte[] from, int at, long address, int count) {
        MemorySegment segment = memory;
        if (segment != null && isDirect(segment)) {
            try {
                MemorySegment.copy(from, at, segment, ValueLayout.JAVA_BYTE, address - iova, count);
                return true;
            } catch (IllegalStateException freed) {
                return false;
            }
        }
        return isAlive(segment) && CheckedCopy.write(from, at, at(address), count);
    }

    private boolean isDirect(MemorySegment segment) {
        return tracked && segment.isAccessibleBy(Thread.currentThread());
    }

    private static boolean isAlive(@Nullable MemorySegment segment) {
        return segment == null || segment.scope().isAlive();
    }
}
