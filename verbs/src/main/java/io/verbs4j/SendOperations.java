// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.spi.SendRequest;
import io.verbs4j.spi.ring.OpcodeSet;
import io.verbs4j.types.Access;
import io.verbs4j.types.ScatterGatherList;
import io.verbs4j.types.SendFlags;
import io.verbs4j.types.WorkRequestOpcode;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The vocabulary of posting: one *operation*, its *local* memory, its *remote* memory, and modifiers, in any order.
///
/// | part | methods |
/// |---|---|
/// | operation | [#send()], [#write()], [#read()], [#compareAndSwap], [#fetchAndAdd], [#atomicWrite], [#flush], [#bind], [#invalidate] |
/// | local memory | [#local(MemoryRegion, long, long)], [#local(LocalMemory...)], [#local(ScatterGatherList)], [#local(long, int, int)], [#inline(MemorySegment)]; none for an empty message |
/// | remote memory | [#remote(RemoteMemory)], [#remote(RemoteMemory, long)], [#remote(long, int)] |
/// | modifiers | [#workRequestId], [#signaled()], [#solicited()], [#fence()], [#immediate], [#invalidating], [#to(AddressHandle, int, int)] |
///
/// A [SendBatch] writes what was described into the ring at [SendBatch#post()] and allocates nothing. A
/// [SendWorkRequest] is the same as an immutable value, of which each method returns a changed copy. Bounds, rights and
/// protection domains are checked when the work request is posted, or before. Addresses and keys that the caller keeps
/// itself, in a [ScatterGatherList] or as plain numbers, are not checked against regions.
///
/// @param <S> a batch or a value
public abstract sealed class SendOperations<S extends SendOperations<S>> permits SendBatch, SendWorkRequest {
    /// Bits of [#described] below this are [SendFlags].
    static final int FLAGS = (1 << 8) - 1;

    static final int OPERATION = 1 << 8;
    static final int IDENTIFIER = 1 << 9;
    static final int BUFFER = 1 << 10;
    static final int LIST = 1 << 11;
    static final int INLINE = 1 << 12;
    /// The buffers lie in a region that lacks `LOCAL_WRITE`.
    static final int READ_ONLY = 1 << 13;
    static final int REMOTE = 1 << 14;
    static final int IMMEDIATE = 1 << 15;
    static final int INVALIDATING = 1 << 16;
    /// The operation itself is about a key of ours.
    static final int OWN_KEY = 1 << 17;
    static final int DESTINATION = 1 << 18;
    /// Parts of regions, which a value keeps until it is posted.
    static final int PARTS = 1 << 19;
    /// The buffer was described as a part of a region.
    static final int IN_REGION = 1 << 20;

    static final int LOCAL = BUFFER | LIST | INLINE | PARTS | IN_REGION;

    /// Operations on a peer that gets a message.
    static final int SENDS = OpcodeSet.of(
            WorkRequestOpcode.SEND, WorkRequestOpcode.SEND_WITH_IMMEDIATE, WorkRequestOpcode.SEND_WITH_INVALIDATE);
    /// Operations that change local memory.
    static final int READS = OpcodeSet.of(
            WorkRequestOpcode.RDMA_READ, WorkRequestOpcode.COMPARE_AND_SWAP, WorkRequestOpcode.FETCH_AND_ADD);
    /// Operations on remote memory.
    static final int ONE_SIDED = READS
            | OpcodeSet.of(
                    WorkRequestOpcode.RDMA_WRITE,
                    WorkRequestOpcode.RDMA_WRITE_WITH_IMMEDIATE,
                    WorkRequestOpcode.ATOMIC_WRITE,
                    WorkRequestOpcode.FLUSH);
    /// Operations whose work request has no place for local memory.
    static final int PLAIN = OpcodeSet.of(
            WorkRequestOpcode.ATOMIC_WRITE,
            WorkRequestOpcode.FLUSH,
            WorkRequestOpcode.LOCAL_INVALIDATE,
            WorkRequestOpcode.BIND_MEMORY_WINDOW);

    /// Flags, and which of the fields below mean something.
    int described;

    final SendRequest request = new SendRequest();
    long localAddress;
    long localLength;
    int localKey;
    @Nullable ScatterGatherList list;
    @Nullable MemorySegment source;
    long sourceOffset;
    long remoteLength;
    @Nullable MemoryWindow window;

    SendOperations() {}

    /// Copies another one.
    SendOperations(SendOperations<?> other) {
        set(other);
    }

    /// Returns the object that the next part of the description goes to.
    abstract S next();

    final void set(SendOperations<?> other) {
        described = other.described;
        request.set(other.request);
        localAddress = other.localAddress;
        localLength = other.localLength;
        localKey = other.localKey;
        if ((described & LIST) != 0) {
            list = other.list;
        }
        if ((described & INLINE) != 0) {
            source = other.source;
        }
        sourceOffset = other.sourceOffset;
        remoteLength = other.remoteLength;
        if (other.window != null) {
            window = other.window;
        }
    }

    private S flag(int flag) {
        S next = next();
        next.described |= flag;
        return next;
    }

    /// Sets the identifier that the completion carries; else it is 0.
    public final S workRequestId(long id) {
        S next = flag(IDENTIFIER);
        next.request.workRequestId(id);
        return next;
    }

    /// Requests a completion on success. Failures always complete.
    public final S signaled() {
        return flag(SendFlags.SIGNALED);
    }

    /// Raises an event at a peer's queue that is armed for solicited messages only.
    public final S solicited() {
        return flag(SendFlags.SOLICITED);
    }

    /// Waits until all earlier RDMA reads and atomics of this queue are done (IBA vol. 1, 10.8.3.3).
    ///
    /// Fence sends and writes, and post no read or atomic behind them until they have completed: a fenced work request
    /// that has to be sent again hangs under rxe, without an error, while a read or an atomic is outstanding, be it
    /// itself or a later one (`rxe_wqe_is_fenced`, rxe_req.c). rxe's timer makes it send again now and then without
    /// need.
    public final S fence() {
        return flag(SendFlags.FENCE);
    }

    /// Adds a number to a send or a write, which the peer finds in its completion. A write then consumes a receive of
    /// the peer's.
    public final S immediate(int data) {
        S next = flag(IMMEDIATE);
        next.request.immediateDataOrKey(data);
        return next;
    }

    /// Makes a send take a key of the peer's out of service: that of a memory window.
    public final S invalidating(int remoteKey) {
        S next = flag(INVALIDATING);
        next.request.immediateDataOrKey(remoteKey);
        return next;
    }

    /// Sets the destination of a datagram.
    ///
    /// @param handle the path
    /// @param queuePairNumber the peer's queue pair
    /// @param qkey the peer's Q_Key
    public abstract S to(AddressHandle handle, int queuePairNumber, int qkey);

    /// Sets the destination of a datagram.
    ///
    /// @param handle the path
    /// @param peer the peer's endpoint
    public final S to(AddressHandle handle, QueuePairEndpoint peer) {
        return to(handle, peer.queuePairNumber(), peer.qkey());
    }

    /// Uses a part of a region.
    ///
    /// @param offset first byte in the region
    /// @param length bytes; 8 for the result of a compare-and-swap or fetch-and-add
    public abstract S local(MemoryRegion region, long offset, long length);

    /// Uses parts of regions, one behind the other.
    public abstract S local(LocalMemory... parts);

    /// Uses the listed buffers, one behind the other.
    public S local(ScatterGatherList buffers) {
        S next = payload(LIST);
        next.list = buffers;
        next.localLength = buffers.totalLength();
        return next;
    }

    /// Uses an address and a local key that the caller keeps itself.
    ///
    /// @param length bytes
    public final S local(long address, int length, int key) {
        S next = payload(BUFFER);
        next.localAddress = address;
        next.localLength = length;
        next.localKey = key;
        return next;
    }

    /// Carries a copy of `bytes`, which may be on the heap.
    public final S inline(MemorySegment bytes) {
        return inline(bytes, 0, bytes.byteSize());
    }

    /// Carries a copy of a part of `bytes`, which may be on the heap.
    ///
    /// @param offset first byte
    /// @param length bytes, at most the queue pair's room for inline data
    public S inline(MemorySegment bytes, long offset, long length) {
        S next = payload(INLINE);
        next.source = bytes;
        next.sourceOffset = offset;
        next.localLength = length;
        return next;
    }

    /// Sets the form of the local memory, in place of what was described before.
    final S payload(int form) {
        S next = next();
        next.described = (next.described & ~(LOCAL | READ_ONLY)) | form;
        return next;
    }

    /// Aims at the beginning of the peer's memory.
    public final S remote(RemoteMemory memory) {
        return aim(memory.address(), memory.length(), memory.remoteKey());
    }

    /// Aims at a place in the peer's memory.
    ///
    /// @param offset first byte in `memory`
    public final S remote(RemoteMemory memory, long offset) {
        long length = memory.length();
        if (offset < 0 || offset > length) {
            throw outside(offset, length);
        }
        return aim(memory.address() + offset, length - offset, memory.remoteKey());
    }

    /// Aims at an address of the peer's. The length is not checked, and a flush needs one: [#remote(RemoteMemory)].
    public final S remote(long address, int key) {
        return aim(address, Long.MAX_VALUE, key);
    }

    private S aim(long address, long length, int key) {
        S next = flag(REMOTE);
        next.request.remote(address, key);
        next.remoteLength = length;
        return next;
    }

    private IndexOutOfBoundsException outside(long offset, long length) {
        next().described = 0;
        return new IndexOutOfBoundsException(
                "remoteOffset=" + offset + " leaves the remote memory of " + length + " bytes");
    }

    /// Sends the local memory as one message, or an empty one.
    public final S send() {
        return operation(WorkRequestOpcode.SEND);
    }

    /// Writes the local memory to the peer's. The peer notices nothing, unless there is [immediate data][#immediate].
    public final S write() {
        return operation(WorkRequestOpcode.RDMA_WRITE);
    }

    /// Reads the peer's memory into the local memory, whose regions need `LOCAL_WRITE`.
    public final S read() {
        return operation(WorkRequestOpcode.RDMA_READ);
    }

    /// Replaces 8 bytes of the peer's, at an address that is a multiple of 8, if they hold `expected`. Their former
    /// value arrives in the 8 bytes of local memory, in the processor's byte order.
    public final S compareAndSwap(long expected, long replacement) {
        S next = operation(WorkRequestOpcode.COMPARE_AND_SWAP);
        next.request.operands(expected, replacement);
        return next;
    }

    /// Adds to 8 bytes of the peer's, at an address that is a multiple of 8. Their former value arrives in the 8 bytes
    /// of local memory, in the processor's byte order.
    public final S fetchAndAdd(long addend) {
        S next = operation(WorkRequestOpcode.FETCH_AND_ADD);
        next.request.operands(addend, 0);
        return next;
    }

    /// Writes 8 bytes of the peer's at once. Takes no local memory.
    ///
    /// Posting throws [io.verbs4j.types.NotSupportedException] if device or kernel lack it
    /// ([io.verbs4j.types.Feature#ATOMIC_WRITE]).
    ///
    /// @param value in the processor's byte order
    public final S atomicWrite(long value) {
        S next = operation(WorkRequestOpcode.ATOMIC_WRITE);
        next.request.operands(value, 0);
        return next;
    }

    /// Makes earlier writes to the remote memory visible there, or persistent. Takes no local memory.
    ///
    /// Posting throws [io.verbs4j.types.NotSupportedException] if device or kernel lack it
    /// ([io.verbs4j.types.Feature#FLUSH_GLOBAL]).
    public final S flush(FlushType type, FlushLevel level) {
        S next = operation(WorkRequestOpcode.FLUSH);
        next.request.flush(0, type.value(), level.value());
        return next;
    }

    /// Binds a memory window to the local memory, one part of a region. The window's key changes; the peer learns it by
    /// [MemoryWindow#remote(RemoteMemory)] after the bind has completed. Should the bind fail, close the window: its
    /// key is no longer known then.
    ///
    /// The region must grant [Access#MEMORY_WINDOW_BIND], and `LOCAL_WRITE` if the peer may write. A part of length 0
    /// unbinds a window of type 1, and is not allowed for type 2. Posting throws [IllegalArgumentException] for a bind
    /// that cannot work.
    ///
    /// @param accessFlags bits of [Access]: the peer's rights through the window; with `ZERO_BASED`, of type 2 only, the peer calls
    ///     the first byte 0
    /// @see <a href="https://man7.org/linux/man-pages/man3/ibv_bind_mw.3.html">ibv_bind_mw(3)</a>
    public final S bind(MemoryWindow memoryWindow, int accessFlags) {
        S next = operation(WorkRequestOpcode.BIND_MEMORY_WINDOW);
        next.described |= OWN_KEY;
        next.window = memoryWindow;
        next.request.access(accessFlags);
        return next;
    }

    /// Binds a memory window, as [#bind(MemoryWindow, int)] does.
    ///
    /// @param access the peer's rights through the window
    public final S bind(MemoryWindow memoryWindow, Access... access) {
        return bind(memoryWindow, Access.mask(access));
    }

    /// Takes a key of our own out of service: that of a type 2 memory window, which must be bound. The key of one that
    /// is not, or no longer, makes rxe follow a null pointer, which stops the machine (`rxe_do_invalidate_mw`,
    /// rxe_mw.c).
    public final S invalidate(int key) {
        S next = operation(WorkRequestOpcode.LOCAL_INVALIDATE);
        next.described |= OWN_KEY;
        next.request.immediateDataOrKey(key);
        return next;
    }

    /// Sets an operation by its number, for bindings and for tests that want the device to refuse it.
    ///
    /// @param opcode one of [WorkRequestOpcode]; immediate data or key of one that has it are 0 without that modifier
    /// @throws IllegalStateException if an operation was described and not posted
    public final S operation(int opcode) {
        S next = next();
        if ((next.described & OPERATION) != 0) {
            next.described = 0;
            throw next.notPosted();
        }
        next.described |= OPERATION;
        next.request.operation(opcode);
        return next;
    }

    final IllegalStateException notPosted() {
        return new IllegalStateException(
                WorkRequestOpcode.name(request.opcode())
                        + " is described and not posted: a work request has one operation,"
                        + " and post() ends its description");
    }
}
