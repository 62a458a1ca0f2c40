// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.mlx5;

import static io.verbs4j.abi.os.RawMemory.ADDRESSES;
import static io.verbs4j.abi.os.RawMemory.ALL;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.DriverData;
import io.verbs4j.abi.datagram.CreateAddressHandle;
import io.verbs4j.abi.failure.Rollback;
import io.verbs4j.abi.uapi.CView;
import io.verbs4j.spi.ProviderAddressHandle;
import io.verbs4j.spi.ProviderProtectionDomain;
import io.verbs4j.types.AddressVector;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ThreadLocalRandom;

/// An address handle: the address vector of each datagram. The kernel resolves the Ethernet address.
final class Mlx5AddressHandle extends ProviderAddressHandle {
    /// A datagram's segments up to its first buffer.
    private static final int SIZE = 4;

    /// `MLX5_EXTENDED_UD_AV`: the vector has the long form.
    private static final int EXTENDED = 0x80000000;

    private static final int FIRST_PORT = 0xc000;
    private static final int PORTS = 0x4000;
    private static final int MAC_BYTES = 6;

    private final int domain;
    private final int pathWord;
    private final long[] words;
    private volatile boolean destroyed;

    private Mlx5AddressHandle(CommandChannel channel, int handle, int domain, int pathWord, long[] words) {
        super(channel, handle);
        this.domain = domain;
        this.pathWord = pathWord;
        this.words = words;
    }

    /// Creates an address handle. The kernel resolves the destination during the call, and may wait for an answer from
    /// the network.
    static Mlx5AddressHandle create(CommandChannel channel, ProviderProtectionDomain domain, AddressVector path) {
        try (
                Arena arena = Arena.ofConfined();
                var rollback = new Rollback()) {
            MemorySegment answer = CommandStructs.CREATE_AH_ANSWER.allocate(arena);
            MemorySegment vector = Segments.VECTOR.allocate(arena);
            CView view = Segments.VECTOR.view(vector);
            view.set("stat_rate_sl", (path.serviceLevel() & 7) << 1)
                    .set("rlid", sourcePort(path.flowLabel()))
                    .set("tclass", path.trafficClass())
                    .set("hop_limit", path.hopLimit())
                    .set("grh_gid_fl", (long) path.sourceGidIndex() << 20 | path.flowLabel());
            long gid = Segments.VECTOR.offset("rgid");
            Segments.LONG.set(vector, gid, path.destinationGid().subnetPrefix());
            Segments.LONG.set(vector, gid + Long.BYTES, path.destinationGid().interfaceId());
            int pathWord = (int) Segments.INT.get(vector, Segments.VECTOR.offset("stat_rate_sl"));
            var words = new long[4];
            // Java allocates the object before it runs the command, so a lack of heap leaks no handle.
            Mlx5AddressHandle created = rollback.make(
                    () -> new Mlx5AddressHandle(
                            channel,
                            CreateAddressHandle.execute(channel, domain.handle(), 0, path, DriverData.out(answer)),
                            domain.handle(),
                            pathWord,
                            words),
                    Mlx5AddressHandle::destroy);
            MemorySegment.copy(
                    answer,
                    CommandStructs.CREATE_AH_ANSWER.offset("dmac"),
                    vector,
                    Segments.VECTOR.offset("rmac"),
                    MAC_BYTES);
            for (int i = 0; i < words.length; i++) {
                words[i] = (long) Segments.LONG.get(vector, 16L + (long) i * Long.BYTES);
            }
            rollback.keep();
            return created;
        }
    }

    /// Returns the UDP source port of RoCE v2, which determines the path in networks with several. It is folded from
    /// the flow label like the kernel's `rdma_flow_label_to_udp_sport`, or arbitrary.
    private static int sourcePort(int flowLabel) {
        return flowLabel == 0
                ? FIRST_PORT + ThreadLocalRandom.current().nextInt(PORTS)
                : FIRST_PORT | ((flowLabel ^ (flowLabel >>> 14)) & (PORTS - 1));
    }

    /// Writes the address vector after a control segment.
    ///
    /// @return segments up to the first buffer
    int write(long at, int remoteQueuePair, int remoteQkey) {
        long base = at & ADDRESSES;
        Segments.LONG.set(ALL, base + 16, Segments.pair(remoteQkey, 0));
        Segments.LONG.set(ALL, base + 24, Segments.pair(remoteQueuePair | EXTENDED, pathWord));
        Segments.LONG.set(ALL, base + 32, words[0]);
        Segments.LONG.set(ALL, base + 40, words[1]);
        Segments.LONG.set(ALL, base + 48, words[2]);
        Segments.LONG.set(ALL, base + 56, words[3]);
        return SIZE;
    }

    /// Returns the handle of its protection domain.
    int domain() {
        return domain;
    }

    boolean isDestroyed() {
        return destroyed;
    }

    @Override
    public void destroy() {
        super.destroy();
        destroyed = true;
    }
}
