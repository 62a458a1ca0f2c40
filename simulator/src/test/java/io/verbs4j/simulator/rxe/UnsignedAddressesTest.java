// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.types.Access;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Accesses of a peer near the address 2^63, where a signed number changes its sign. A program chooses the addresses of
/// its regions.
class UnsignedAddressesTest {
    private static final long HALF = 1L << 63;

    private final Bench bench =
            new Bench(KernelProfile.SPECIFICATION, QueuePairType.RC, false, false, false);

    @AfterEach
    void close() {
        bench.close();
    }

    private Region region(long start) {
        MemorySegment memory = Arena.ofAuto().allocate(Bench.SIZE, 4096);
        int access = Access.mask(Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ);
        Region region = bench.device.register(bench.domain, memory.address(), Bench.SIZE, HALF + start, access);
        region.attach(memory);
        return region;
    }

    private QueuePairState write(int key, long address) {
        Packet write = bench.packet(Opcode.WRITE_ONLY, bench.pair.receivePsn());
        write.key = key;
        write.remoteAddress = HALF + address;
        write.length = Bench.MTU;
        write.payload = new byte[Bench.MTU];
        bench.arrive(write);
        return bench.pair.state();
    }

    @ParameterizedTest
    @CsvSource({
            "0, -4096, ERR", "0, -256, ERR", "0, 0, RTS", "0, 7936, RTS", "0, 7937, ERR",
            "-4096, -4097, ERR", "-4096, -4096, RTS", "-4096, 0, RTS", "-4096, 3840, RTS", "-4096, 3841, ERR"
    })
    void aPeerReachesExactlyTheRegion(long start, long address, QueuePairState state) {
        assertThat(write(region(start).key(), address)).isEqualTo(state);
    }

    @ParameterizedTest
    @CsvSource({"-256, -512, ERR", "-256, -256, RTS", "-256, 0, RTS", "-256, 1, ERR", "0, -256, ERR", "0, 0, RTS"})
    void aPeerReachesExactlyTheWindow(long start, long address, QueuePairState state) {
        Window window = bench.one;
        window.region = region(-4096);
        window.address = HALF + start;
        window.length = 2L * Bench.MTU;
        window.access = Access.REMOTE_WRITE.value();
        assertThat(write(window.key(), address)).isEqualTo(state);
    }

    @Test
    void thePartsOfAReadAreRepeated() {
        int psn = bench.pair.receivePsn();
        int key = region(-4096).key();
        read(psn, key, -Bench.MTU, 2 * Bench.MTU);
        assertThat(answers()).isEqualTo(2);
        read(psn + 1, key, 0, Bench.MTU);
        assertThat(answers()).isEqualTo(3);
    }

    private void read(int psn, int key, long address, int length) {
        Packet read = bench.packet(Opcode.READ_REQUEST, psn);
        read.key = key;
        read.remoteAddress = HALF + address;
        read.length = length;
        bench.arrive(read);
    }

    private long answers() {
        return bench.lines.stream().filter(line -> line.startsWith("> ")).count();
    }
}
