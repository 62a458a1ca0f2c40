// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.mlx5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.Transport;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.failure.Rollback;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The pages and registers of libmlx5 (`mlx5_set_context` in mlx5.c, `MLX5_BF_OFFSET` and its neighbours in
/// mlx5.h).
class DoorbellPagesTest {
    private final Arena arena = Arena.ofAuto();
    private final List<Long> mapped = new ArrayList<>();
    private int failing = -1;

    private final DeviceFile file = (DeviceFile) Proxy.newProxyInstance(
            DeviceFile.class.getClassLoader(), new Class<?>[]{DeviceFile.class}, (_, method, arguments) -> {
                switch (method.getName()) {
                    case "map" -> {
                        if (mapped.size() == failing) {
                            throw new VerbsException("map", Errno.ENOMEM, "");
                        }
                        mapped.add((Long) arguments[0]);
                        return arena.allocate((Long) arguments[1], 4096);
                    }
                    case "unmap" -> mapped.removeLast();
                    default -> throw new AssertionError(method);
                }
                return null;
            });
    private final CommandChannel channel = CommandChannel.open(file, 0, "mlx5_0", 1, Transport.WRITE);

    private DoorbellPages map(int total, int perPage, int bytes) {
        MemorySegment answer = CommandStructs.CONTEXT_ANSWER.allocate(arena);
        try (var rollback = new Rollback()) {
            DoorbellPages pages = DoorbellPages.map(
                    channel,
                    CommandStructs.CONTEXT_ANSWER.view(answer)
                            .set("tot_bfregs", total)
                            .set("num_uars_per_page", perPage)
                            .set("bf_reg_size", bytes),
                    rollback);
            rollback.keep();
            return pages;
        }
    }

    /// Half of a page's registers are for queue pairs of the kernel's choice, so four of them count as two.
    @ParameterizedTest
    @CsvSource({"16, 512, 8", "2, 16, 1"})
    void registersFollowEachOther(int total, int bytes, int pages) {
        DoorbellPages doorbells = map(total, 1, bytes);
        assertThat(mapped).containsExactlyElementsOf(
                LongStream.range(0, pages).mapToObj(i -> (3L << 8 | i) * 4096).toList());
        int registers = pages * 4;
        for (int i = 0; i < registers; i++) {
            long offset = 0x800 + i % 4 * (long) bytes;
            assertThat(doorbells.register(i)).hasToString("register at 0x" + Long.toHexString(offset));
        }
        assertThat(doorbells.completions()).hasToString("register at 0x20");
        for (int i : new int[]{-1, registers}) {
            assertThatThrownBy(() -> doorbells.register(i)).hasMessageContaining(
                    "the kernel has returned doorbell register " + i + " of " + registers);
        }
        doorbells.unmap(channel);
        assertThat(mapped).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 512", "16, 0, 512", "16, -1, 512", "16, 2, 512", "16, 1, 15", "16, 1, 513"})
    void unusableAnswersAreRefused(int total, int perPage, int bytes) {
        assertThatThrownBy(() -> map(total, perPage, bytes)).isInstanceOf(VerbsException.class)
                .hasMessageContaining(
                        "tot_bfregs=" + total + ", num_uars_per_page=" + perPage + ", bf_reg_size=" + bytes);
        assertThat(mapped).isEmpty();
    }

    @Test
    void aFailureLeavesNoPageMapped() {
        failing = 3;
        assertThatThrownBy(() -> map(16, 1, 512)).isInstanceOf(VerbsException.class);
        assertThat(mapped).isEmpty();
    }

    /// The halves of a register are used by turns; the first register has one half.
    @Test
    void halvesAreUsedByTurns() {
        MemorySegment page = arena.allocate(64, 8);
        var register = new DoorbellRegister(page, 16, 8);
        for (long word = 1; word <= 3; word++) {
            register.ring(word);
        }
        assertThat(page.asSlice(0, 40).toArray(ValueLayout.JAVA_LONG)).containsExactly(0, 0, 3, 2, 0);
    }
}
