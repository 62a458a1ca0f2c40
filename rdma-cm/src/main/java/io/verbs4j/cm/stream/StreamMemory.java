// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.abi.failure.Closing;
import io.verbs4j.types.Access;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicBoolean;

/// The memory of one end. The peer can write only into the receive ring and into the table of ring segments.
final class StreamMemory implements AutoCloseable {
    /// Maximum number of credit and control messages in flight.
    static final int CONTROLS = 4;

    /// Size of a table entry: address, rkey and length, in the byte order of the table's owner.
    static final int ENTRY = 16;

    /// Size of a message over iWARP, which takes the place of immediate data.
    static final int WORD = 4;

    /// Size of an entry for direct writes: the offset by which the peer addresses the memory, followed by a table
    /// entry.
    static final int MAPPING = Long.BYTES + ENTRY;

    private static final int KEY_AT = 8;
    private static final int LENGTH_AT = 12;
    private static final ValueLayout.OfLong ADDRESS = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfInt NUMBER = ValueLayout.JAVA_INT_UNALIGNED;

    /// Registered memory.
    ///
    /// @param address the address by which the device accesses the first byte
    /// @param close deregisters it
    record Block(MemorySegment segment, long address, int localKey, int remoteKey, Runnable close) {
        static Block of(MemoryRegion region, Runnable close) {
            return new Block(
                    region.segment(), region.address(), region.localKey(), region.remoteKey(), close);
        }
    }

    /// The receive ring, followed by the table.
    private final Block received;
    private final MemorySegment table;
    private final Block sent;
    private final int receiveBytes;
    private final int sendBytes;
    private final int mappings;

    StreamMemory(Block received, Block sent, StreamOptions options) {
        this.received = received;
        this.sent = sent;
        this.receiveBytes = options.receiveBytes();
        this.table = received.segment().asSlice(receiveBytes);
        this.sendBytes = options.sendBytes();
        this.mappings = options.mappings();
    }

    /// @param words number of receives for messages over iWARP; 0 over other transports
    static StreamMemory allocate(ProtectionDomain domain, StreamOptions options, int words) {
        Block received =
                allocate(domain, options, receivedBytes(options), Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        try {
            long bytes = sentBytes(options) + (long) words * WORD;
            return new StreamMemory(received, allocate(domain, options, bytes, Access.LOCAL_WRITE), options);
        } catch (RuntimeException | Error e) {
            received.close().run();
            throw e;
        }
    }

    private static Block allocate(ProtectionDomain domain, StreamOptions options, long bytes, Access... access) {
        StreamGroup group = options.group();
        if (group == null) {
            MemoryRegion region = domain.allocate(bytes, access);
            return Block.of(region, region::close);
        }
        group.reserve(bytes);
        try {
            MemoryRegion region = domain.allocate(bytes, access);
            var once = new AtomicBoolean();
            return Block.of(region, () -> {
                region.close();
                if (once.compareAndSet(false, true)) {
                    group.release(bytes);
                }
            });
        } catch (RuntimeException | Error e) {
            group.release(bytes);
            throw e;
        }
    }

    /// Returns the memory that the peer can write to.
    static long receivedBytes(StreamOptions options) {
        return options.receiveBytes() + mappingAt(Greeting.ENTRIES, options.mappings());
    }

    /// Returns the size of the send buffer.
    static long sentBytes(StreamOptions options) {
        return sentBytes(options.sendBytes());
    }

    private static long sentBytes(int ringBytes) {
        return ringBytes + (long) CONTROLS * ENTRY + MAPPING;
    }

    /// Returns the greeting for the peer.
    Greeting greeting(int credits) {
        return new Greeting(
                ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN,
                credits,
                received.address() + receiveBytes,
                received.remoteKey(),
                Greeting.ENTRIES,
                received.address(),
                received.remoteKey(),
                receiveBytes / 2,
                mappings);
    }

    /// Returns the offset of an entry for direct writes in a table.
    ///
    /// @param entries number of ring segment entries, which precede the others
    static long mappingAt(int entries, int index) {
        return (long) entries * ENTRY + (long) index * MAPPING;
    }

    MemorySegment ring() {
        return received.segment().asSlice(0, receiveBytes);
    }

    MemorySegment sending() {
        return sent.segment();
    }

    long sendAddress(long offset) {
        return sent.address() + offset;
    }

    int sendKey() {
        return sent.localKey();
    }

    /// Returns the offset of a received message over iWARP. The peer cannot access this message.
    private long wordAt(int index) {
        return sentBytes(sendBytes) + (long) index * WORD;
    }

    /// Returns the address at which the device stores a message over iWARP.
    long wordAddress(int index) {
        return sent.address() + wordAt(index);
    }

    /// Returns a received message over iWARP.
    int word(int index) {
        return sent.segment().get(NUMBER, wordAt(index));
    }

    /// Returns whether the table contains a new ring segment.
    boolean hasPiece(int index) {
        return table.get(NUMBER, (long) index * ENTRY + LENGTH_AT) != 0;
    }

    /// Takes from the table a ring segment that the peer has announced, adds the segment to the window, and clears the
    /// table entry.
    void takePiece(int index, SendWindow window) {
        long at = (long) index * ENTRY;
        window.offer(table.get(ADDRESS, at), table.get(NUMBER, at + KEY_AT), table.get(NUMBER, at + LENGTH_AT));
        table.set(NUMBER, at + LENGTH_AT, 0);
    }

    /// Writes an entry for the peer's table, in the peer's byte order.
    ///
    /// @return offset of the written entry in the send buffer
    long putPiece(int control, int ringAt, int length, boolean bigEndian) {
        long at = (long) sendBytes + (long) control * ENTRY;
        putEntry(at, received.address() + ringAt, received.remoteKey(), length, bigEndian);
        return at;
    }

    private void putEntry(long at, long address, int key, int length, boolean bigEndian) {
        ByteOrder order = bigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        MemorySegment memory = sent.segment();
        memory.set(order == ByteOrder.nativeOrder() ? ADDRESS : ADDRESS.withOrder(order), at, address);
        ValueLayout.OfInt number = order == ByteOrder.nativeOrder() ? NUMBER : NUMBER.withOrder(order);
        memory.set(number, at + KEY_AT, key);
        memory.set(number, at + LENGTH_AT, length);
    }

    /// Writes a direct-write entry for the peer's table, in the peer's byte order. The previous entry must have
    /// arrived.
    ///
    /// @return offset of the written entry in the send buffer
    long putMapping(long offset, MemoryRegion region, boolean bigEndian) {
        long at = sendBytes + (long) CONTROLS * ENTRY;
        ByteOrder order = bigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        sent.segment().set(ADDRESS.withOrder(order), at, offset);
        putEntry(at + Long.BYTES, region.address(), region.remoteKey(), (int) region.length(), bigEndian);
        return at;
    }

    /// Adds to the known mappings a direct-write entry that the peer has written into the table.
    void takeMapping(int index, PeerMappings known) {
        long at = mappingAt(Greeting.ENTRIES, index);
        long entry = at + Long.BYTES;
        known.put(
                index, table.get(ADDRESS, at), table.get(ADDRESS, entry), table.get(NUMBER, entry + KEY_AT),
                table.get(NUMBER, entry + LENGTH_AT));
    }

    /// Frees the memory. No queue pair may use it any more. Idempotent.
    @Override
    public void close() {
        Closing.all(sent.close(), received.close());
    }
}
