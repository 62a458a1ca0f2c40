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

/// Describes a work request: one *operation*, its *local* memory, its *remote* memory, and modifiers, in any order.
///
/// | part | methods |
/// |---|---|
/// | operation | [#send()], [#write()], [#read()], [#compareAndSwap], [#fetchAndAdd], [#atomicWrite], [#flush], [#bind], [#invalidate] |
/// | local memory | [#local(MemoryRegion, long, long)], [#local(LocalMemory...)], [#local(ScatterGatherList)], [#local(long, int, int)], [#inline(MemorySegment)]; none for an empty message |
/// | remote memory | [#remote(RemoteMemory)], [#remote(RemoteMemory, long)], [#remote(long, int)] |
/// | modifiers | [#workRequestId], [#signaled()], [#solicited()], [#fence()], [#immediate], [#invalidating], [#to(AddressHandle, int, int)] |
///
/// [SendBatch#post()] encodes the described work request into the ring and allocates nothing. A [SendWorkRequest] is an
/// immutable value with the same methods: each method returns a changed copy. Posting checks bounds, rights and
/// protection domains, unless an earlier call has done so. Addresses and keys in a [ScatterGatherList] or as plain
/// numbers are not checked against regions.
///
/// @param <S> the type of the batch or value
public abstract sealed class SendOperations<S extends SendOperations<S>> permits SendBatch, SendWorkRequest {
    /// The bits of [#described] below this one are [SendFlags].
    static final int FLAGS = (1 << 8) - 1;

    static final int OPERATION = 1 << 8;
    static final int IDENTIFIER = 1 << 9;
    static final int BUFFER = 1 << 10;
    static final int LIST = 1 << 11;
    static final int INLINE = 1 << 12;
    /// The buffers are in a region that lacks `LOCAL_WRITE`.
    static final int READ_ONLY = 1 << 13;
    static final int REMOTE = 1 << 14;
    static final int IMMEDIATE = 1 << 15;
    static final int INVALIDATING = 1 << 16;
    /// The operation itself takes a key of this end.
    static final int OWN_KEY = 1 << 17;
    static final int DESTINATION = 1 << 18;
    /// Parts of regions, which a value stores until it is posted.
    static final int PARTS = 1 << 19;
    /// The buffer was described as a part of a region.
    static final int IN_REGION = 1 << 20;

    static final int LOCAL = BUFFER | LIST | INLINE | PARTS | IN_REGION;

    /// Operations that send a message to the peer.
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
    /// Operations whose work request has no field for local memory.
    static final int PLAIN = OpcodeSet.of(
            WorkRequestOpcode.ATOMIC_WRITE,
            WorkRequestOpcode.FLUSH,
            WorkRequestOpcode.LOCAL_INVALIDATE,
            WorkRequestOpcode.BIND_MEMORY_WINDOW);

    /// The flags, and bits that mark which of the fields below are set.
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

    /// Copies another description.
    SendOperations(SendOperations<?> other) {
        set(other);
    }

    /// Returns the object that receives the next part of the description.
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

    /// Sets the identifier that the completion carries. The default is 0.
    public final S workRequestId(long id) {
        S next = flag(IDENTIFIER);
        next.request.workRequestId(id);
        return next;
    }

    /// Requests a completion on success. Failures always produce one.
    public final S signaled() {
        return flag(SendFlags.SIGNALED);
    }

    /// Marks the message as solicited: it raises an event at the peer even if the peer has armed its completion queue
    /// for solicited messages only.
    public final S solicited() {
        return flag(SendFlags.SOLICITED);
    }

    /// Delays this work request until all earlier RDMA reads and atomics of this queue have completed (IBA vol. 1,
    /// 10.8.3.3).
    ///
    /// Use fences for sends and writes only, and post no read or atomic after a fenced work request until it has
    /// completed. On rxe, a fenced work request that has to be retransmitted hangs without an error while a read or an
    /// atomic is outstanding. That read or atomic may be the fenced work request itself or a later one
    /// (`rxe_wqe_is_fenced`, rxe_req.c). A timer of rxe sometimes causes such a retransmission needlessly.
    public final S fence() {
        return flag(SendFlags.FENCE);
    }

    /// Adds a number, the immediate data, to a send or a write. The number arrives in a completion of the peer. A write
    /// with immediate data consumes one of the peer's receives.
    public final S immediate(int data) {
        S next = flag(IMMEDIATE);
        next.request.immediateDataOrKey(data);
        return next;
    }

    /// Makes a send invalidate a key of the peer: the key of a memory window.
    public final S invalidating(int remoteKey) {
        S next = flag(INVALIDATING);
        next.request.immediateDataOrKey(remoteKey);
        return next;
    }

    /// Sets the destination of a datagram.
    ///
    /// @param handle the path to the peer
    /// @param queuePairNumber number of the peer's queue pair
    /// @param qkey the peer's Q_Key
    public abstract S to(AddressHandle handle, int queuePairNumber, int qkey);

    /// Sets the destination of a datagram.
    ///
    /// @param handle the path to the peer
    /// @param peer the peer's endpoint
    public final S to(AddressHandle handle, QueuePairEndpoint peer) {
        return to(handle, peer.queuePairNumber(), peer.qkey());
    }

    /// Sets the local memory: a part of a region.
    ///
    /// @param offset first byte in the region
    /// @param length bytes; 8 for the result of a compare-and-swap or fetch-and-add
    public abstract S local(MemoryRegion region, long offset, long length);

    /// Sets the local memory: parts of regions, concatenated.
    public abstract S local(LocalMemory... parts);

    /// Sets the local memory: the listed buffers, concatenated.
    public S local(ScatterGatherList buffers) {
        S next = payload(LIST);
        next.list = buffers;
        next.localLength = buffers.totalLength();
        return next;
    }

    /// Sets the local memory by an address and an lkey.
    ///
    /// @param length bytes
    public final S local(long address, int length, int key) {
        S next = payload(BUFFER);
        next.localAddress = address;
        next.localLength = length;
        next.localKey = key;
        return next;
    }

    /// Sets the message to an inline copy of `bytes`, which may be on the heap. A batch copies the bytes when it posts
    /// the work request; a value copies them at once.
    public final S inline(MemorySegment bytes) {
        return inline(bytes, 0, bytes.byteSize());
    }

    /// Sets the message to an inline copy of a part of `bytes`, as [#inline(MemorySegment)] does.
    ///
    /// @param offset first byte
    /// @param length bytes, at most the queue pair's limit of inline data
    public S inline(MemorySegment bytes, long offset, long length) {
        S next = payload(INLINE);
        next.source = bytes;
        next.sourceOffset = offset;
        next.localLength = length;
        return next;
    }

    /// Sets the form of the local memory, and replaces an earlier description.
    final S payload(int form) {
        S next = next();
        next.described = (next.described & ~(LOCAL | READ_ONLY)) | form;
        return next;
    }

    /// Sets the beginning of the peer's memory as the remote address.
    public final S remote(RemoteMemory memory) {
        return aim(memory.address(), memory.length(), memory.remoteKey());
    }

    /// Sets an offset in the peer's memory as the remote address.
    ///
    /// @param offset first byte in `memory`
    public final S remote(RemoteMemory memory, long offset) {
        long length = memory.length();
        if (offset < 0 || offset > length) {
            throw outside(offset, length);
        }
        return aim(memory.address() + offset, length - offset, memory.remoteKey());
    }

    /// Sets the remote address and the rkey. The length is not checked. A flush needs a length: use
    /// [#remote(RemoteMemory)].
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
                "remoteOffset=" + offset + " exceeds the remote memory of " + length + " bytes");
    }

    /// Sends the local memory as one message, or an empty message if there is no local memory.
    public final S send() {
        return operation(WorkRequestOpcode.SEND);
    }

    /// Writes the local memory to the remote memory. The peer gets a completion only with [immediate data][#immediate].
    public final S write() {
        return operation(WorkRequestOpcode.RDMA_WRITE);
    }

    /// Reads the remote memory into the local memory, whose regions must grant `LOCAL_WRITE`.
    public final S read() {
        return operation(WorkRequestOpcode.RDMA_READ);
    }

    /// Atomically replaces 8 bytes of remote memory if they equal `expected`. The remote address must be a
    /// multiple of 8. The previous value is written to the 8 bytes of local memory, in the processor's byte order.
    public final S compareAndSwap(long expected, long replacement) {
        S next = operation(WorkRequestOpcode.COMPARE_AND_SWAP);
        next.request.operands(expected, replacement);
        return next;
    }

    /// Atomically adds a number to 8 bytes of remote memory. The remote address must be a multiple of 8. The previous
    /// value is written to the 8 bytes of local memory, in the processor's byte order.
    public final S fetchAndAdd(long addend) {
        S next = operation(WorkRequestOpcode.FETCH_AND_ADD);
        next.request.operands(addend, 0);
        return next;
    }

    /// Writes 8 bytes of remote memory atomically. Takes no local memory.
    ///
    /// Posting throws [io.verbs4j.types.NotSupportedException] if device or kernel do not support the operation
    /// ([io.verbs4j.types.Feature#ATOMIC_WRITE]).
    ///
    /// @param value in the processor's byte order
    public final S atomicWrite(long value) {
        S next = operation(WorkRequestOpcode.ATOMIC_WRITE);
        next.request.operands(value, 0);
        return next;
    }

    /// Makes earlier writes to the remote memory visible or persistent at the peer. Takes no local memory.
    ///
    /// Posting throws [io.verbs4j.types.NotSupportedException] if device or kernel do not support the operation
    /// ([io.verbs4j.types.Feature#FLUSH_GLOBAL]).
    public final S flush(FlushType type, FlushLevel level) {
        S next = operation(WorkRequestOpcode.FLUSH);
        next.request.flush(0, type.value(), level.value());
        return next;
    }

    /// Binds a memory window to the local memory, one part of a region. The bind changes the window's key. After the
    /// bind has completed, send the new key to the peer ([MemoryWindow#remote(RemoteMemory)]). If the bind fails, close
    /// the window, because its key is unknown.
    ///
    /// The region must grant [Access#MEMORY_WINDOW_BIND], and `LOCAL_WRITE` if the peer may write. A part of length 0
    /// unbinds a window of type 1, and is not allowed for type 2. Posting throws [IllegalArgumentException] if these
    /// conditions are not met.
    ///
    /// @param accessFlags bits of [Access]: the peer's rights through the window. With `ZERO_BASED`, for type 2 only,
    ///     the peer addresses the first byte as 0
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

    /// Invalidates a key of this end: the key of a type 2 memory window, which must be bound. If the window is not
    /// bound, rxe dereferences a null pointer, which stops the machine (`rxe_do_invalidate_mw`, rxe_mw.c).
    public final S invalidate(int key) {
        S next = operation(WorkRequestOpcode.LOCAL_INVALIDATE);
        next.described |= OWN_KEY;
        next.request.immediateDataOrKey(key);
        return next;
    }

    /// Sets an operation by its number, for language bindings and for tests that expect the device to reject it.
    ///
    /// @param opcode one of [WorkRequestOpcode]; immediate data or a key is 0 unless a modifier sets it
    /// @throws IllegalStateException if an operation is already described but not posted
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
