// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.mlx5;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.failure.Rollback;
import io.verbs4j.abi.uapi.CView;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// The doorbell pages of a context (UAR), mapped without write combining: a doorbell is one word, so write combining
/// has no benefit.
final class DoorbellPages {
    private static final long PAGE = 4096;
    /// `MLX5_IB_MMAP_NC_PAGE`, at this bit of the page number.
    private static final long NOT_COMBINED = 3L << 8;

    /// Registers of a page, and those for queue pairs.
    private static final int SLOTS = 4;

    private static final int USABLE = 2;
    private static final long FIRST = 0x800;
    private static final long COMPLETIONS = 0x20;

    private final List<MemorySegment> pages;
    private final List<DoorbellRegister> registers;
    private final DoorbellRegister completions;

    private DoorbellPages(List<MemorySegment> pages, int bytes) {
        this.pages = pages;
        this.registers = new ArrayList<>();
        for (MemorySegment page : pages) {
            for (int k = 0; k < SLOTS; k++) {
                long offset = FIRST + (long) k * bytes;
                // The first register has one half only.
                registers.add(new DoorbellRegister(page, offset, registers.isEmpty() ? 0 : bytes / 2));
            }
        }
        this.completions = new DoorbellRegister(pages.getFirst(), COMPLETIONS, 0);
    }

    /// Maps the doorbell pages. On x86-64, each has the size of a memory page, so `num_uars_per_page` must be 1.
    ///
    /// @param answer the kernel's response to the request for a context
    /// @param rollback unmaps the pages after a failure
    static DoorbellPages map(CommandChannel channel, CView answer, Rollback rollback) {
        int perPage = answer.getInt("num_uars_per_page");
        int count = answer.getInt("tot_bfregs") / USABLE;
        int bytes = answer.getInt("bf_reg_size");
        if (perPage != 1 || count < 1 || bytes < 2 * Long.BYTES || FIRST + (long) SLOTS * bytes > PAGE) {
            throw new VerbsException(
                    "open mlx5 device",
                    Errno.EPROTO,
                    "the kernel offers no usable doorbell registers: tot_bfregs="
                            + answer.getInt("tot_bfregs") + ", num_uars_per_page=" + perPage + ", bf_reg_size="
                            + bytes);
        }
        var pages = new ArrayList<MemorySegment>();
        for (int i = 0; i < count; i++) {
            long offset = (NOT_COMBINED | i) * PAGE;
            pages.add(rollback.make(() -> channel.file().map(offset, PAGE), channel::unmap));
        }
        return new DoorbellPages(pages, bytes);
    }

    DoorbellRegister register(int index) {
        if (index < 0 || index >= registers.size()) {
            throw new VerbsException(
                    "create queue pair",
                    Errno.EPROTO,
                    "the kernel has returned doorbell register " + index + " of " + registers.size());
        }
        return registers.get(index);
    }

    DoorbellRegister completions() {
        return completions;
    }

    void unmap(CommandChannel channel) {
        pages.forEach(channel::unmap);
    }
}
