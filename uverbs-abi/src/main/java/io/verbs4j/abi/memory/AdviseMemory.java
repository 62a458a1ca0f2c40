// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.memory;

import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.command.IoctlCommand;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.UapiHeader;
import io.verbs4j.abi.uapi.UverbsAttribute;
import io.verbs4j.abi.uapi.UverbsMethod;
import io.verbs4j.abi.uapi.UverbsObject;
import io.verbs4j.types.Errno;
import io.verbs4j.types.ScatterGatherList;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Gives advice on the use of on-demand memory, so that its pages are loaded in advance, by `UVERBS_METHOD_ADVISE_MR`
/// only. On rxe, only kernels with on-demand paging support it.
///
/// @see "ibv_advise_mr(3)"
public final class AdviseMemory {
    /// `struct ib_uverbs_sge`.
    public static final CStruct BUFFER = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_sge",
            u64("addr"),
            u32("length", "bytes"),
            u32("lkey"));

    /// Gives advice on the use of on-demand memory.
    public static final UverbsMethod METHOD = UverbsMethod.of(UverbsObject.MR, 2, "ADVISE_MR");
    /// Handle of the protection domain.
    public static final UverbsAttribute ADVISE_MR_PD_HANDLE = METHOD.handle(0, "ADVISE_MR_PD_HANDLE");
    /// Constant: `IB_UVERBS_ADVISE_MR_ADVICE_*`.
    public static final UverbsAttribute ADVISE_MR_ADVICE = METHOD.constant(1, "ADVISE_MR_ADVICE");
    /// In, u32: `IB_UVERBS_ADVISE_MR_FLAG_*`.
    public static final UverbsAttribute ADVISE_MR_FLAGS = METHOD.in(2, "ADVISE_MR_FLAGS");
    /// In: array of `struct ib_uverbs_sge`.
    public static final UverbsAttribute ADVISE_MR_SGE_LIST =
            METHOD.inArray(3, "ADVISE_MR_SGE_LIST", BUFFER);
    /// Describes the command.
    public static final CommandSpecification SPECIFICATION = CommandSpecification.of("advise memory")
            .method(METHOD, "5.0")
            .cause(Errno.EOPNOTSUPP, "the driver does not support on-demand paging");

    /// `IB_UVERBS_ADVISE_MR_ADVICE_PREFETCH`: load for reading.
    public static final int PREFETCH = 0;
    /// `IB_UVERBS_ADVISE_MR_ADVICE_PREFETCH_WRITE`: load for writing.
    public static final int PREFETCH_WRITE = 1;
    /// `IB_UVERBS_ADVISE_MR_ADVICE_PREFETCH_NO_FAULT`: use only pages that are already in memory.
    public static final int PREFETCH_NO_FAULT = 2;

    /// `IB_UVERBS_ADVISE_MR_FLAG_FLUSH`: return when the advice has been carried out, not when it is queued.
    public static final int FLUSH = 1;

    private AdviseMemory() {}

    /// Gives the advice.
    ///
    /// @param domain handle of the protection domain
    /// @param advice one of [#PREFETCH], [#PREFETCH_WRITE], [#PREFETCH_NO_FAULT]
    /// @param flags 0 or [#FLUSH]
    /// @param ranges at least one, each within a region of the domain
    public static void execute(CommandChannel channel, int domain, int advice, int flags, ScatterGatherList ranges) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment list = arena.allocate(BUFFER.layout(), ranges.size());
            for (int i = 0; i < ranges.size(); i++) {
                BUFFER
                        .view(list.asSlice(i * (long) BUFFER.size()))
                        .set("addr", ranges.address(i))
                        .set("length", ranges.length(i))
                        .set("lkey", ranges.lkey(i));
            }
            int result = IoctlCommand.of(arena, SPECIFICATION)
                    .handle(ADVISE_MR_PD_HANDLE, domain)
                    .constant(ADVISE_MR_ADVICE, advice)
                    .in32(ADVISE_MR_FLAGS, flags)
                    .in(ADVISE_MR_SGE_LIST, list)
                    .execute(channel);
            SPECIFICATION.check(result);
        }
    }
}
