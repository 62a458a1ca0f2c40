// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The arguments of ioctl methods (`enum uverbs_attrs_*`, include/uapi/rdma/ib_user_ioctl_cmds.h), those of the methods
/// that verbs4j calls. A number means something only together with its method. The C names are these with `UVERBS_ATTR_` in front.
///
/// What kind of argument each is (payload, constant, handle …) is not in the header but in the kernel's method tables
/// (`DECLARE_UVERBS_NAMED_METHOD` in drivers/infiniband/core/uverbs_std_types_*.c).
public enum UverbsAttribute implements IoctlAttribute {
    /// The driver's request, of any method that takes one.
    UHW_IN(null, 0x1000),
    /// The driver's answer, of any method that gives one.
    UHW_OUT(null, 0x1001),

    /// Request struct of the write command.
    CORE_IN(UverbsMethod.INVOKE_WRITE, 0),
    /// Answer struct of the write command.
    CORE_OUT(UverbsMethod.INVOKE_WRITE, 1),
    /// Constant: [IbUserVerbsCmd] number, with bit 31 for an extended one.
    WRITE_CMD(UverbsMethod.INVOKE_WRITE, 2),

    /// Constant: the port, from 1.
    QUERY_PORT_PORT_NUM(UverbsMethod.QUERY_PORT, 0),
    /// Out: [IbUverbsQueryPortRespEx].
    QUERY_PORT_RESP(UverbsMethod.QUERY_PORT, 1),

    /// Out, u32: number of completion vectors.
    GET_CONTEXT_NUM_COMP_VECTORS(UverbsMethod.GET_CONTEXT, 0),
    /// Out, u64: abilities of the core (`enum ib_uverbs_core_support`).
    GET_CONTEXT_CORE_SUPPORT(UverbsMethod.GET_CONTEXT, 1),

    /// Constant: bytes of an entry.
    QUERY_GID_TABLE_ENTRY_SIZE(UverbsMethod.QUERY_GID_TABLE, 0),
    /// In, u32: none defined.
    QUERY_GID_TABLE_FLAGS(UverbsMethod.QUERY_GID_TABLE, 1),
    /// Out: array of [IbUverbsGidEntry].
    QUERY_GID_TABLE_RESP_ENTRIES(UverbsMethod.QUERY_GID_TABLE, 2),
    /// Out, u64: how many entries were written.
    QUERY_GID_TABLE_RESP_NUM_ENTRIES(UverbsMethod.QUERY_GID_TABLE, 3),

    /// Constant: the port, from 1.
    QUERY_GID_ENTRY_PORT(UverbsMethod.QUERY_GID_ENTRY, 0),
    /// Constant: index in the port's table.
    QUERY_GID_ENTRY_GID_INDEX(UverbsMethod.QUERY_GID_ENTRY, 1),
    /// In, u32: none defined, and yet mandatory.
    QUERY_GID_ENTRY_FLAGS(UverbsMethod.QUERY_GID_ENTRY, 2),
    /// Out: [IbUverbsGidEntry].
    QUERY_GID_ENTRY_RESP_ENTRY(UverbsMethod.QUERY_GID_ENTRY, 3),

    /// Handle.
    DESTROY_PD_HANDLE(UverbsMethod.PD_DESTROY, 0),

    /// New handle.
    CREATE_CQ_HANDLE(UverbsMethod.CQ_CREATE, 0),
    /// In, u32: entries wanted.
    CREATE_CQ_CQE(UverbsMethod.CQ_CREATE, 1),
    /// In, u64: what its events carry.
    CREATE_CQ_USER_HANDLE(UverbsMethod.CQ_CREATE, 2),
    /// File descriptor of the completion channel; left out if there is none.
    CREATE_CQ_COMP_CHANNEL(UverbsMethod.CQ_CREATE, 3),
    /// In, u32: completion vector.
    CREATE_CQ_COMP_VECTOR(UverbsMethod.CQ_CREATE, 4),
    /// In, u32: `IB_UVERBS_CQ_FLAGS_*`; left out if there are none.
    CREATE_CQ_FLAGS(UverbsMethod.CQ_CREATE, 5),
    /// Out, u32: entries given.
    CREATE_CQ_RESP_CQE(UverbsMethod.CQ_CREATE, 6),
    /// File descriptor for its asynchronous events; left out for the context's first.
    CREATE_CQ_EVENT_FD(UverbsMethod.CQ_CREATE, 7),
    /// Handle.
    DESTROY_CQ_HANDLE(UverbsMethod.CQ_DESTROY, 0),
    /// Out: [IbUverbsDestroyCqResp].
    DESTROY_CQ_RESP(UverbsMethod.CQ_DESTROY, 1),

    /// New handle.
    CREATE_QP_HANDLE(UverbsMethod.QP_CREATE, 0),
    /// Handle of an XRC domain.
    CREATE_QP_XRCD_HANDLE(UverbsMethod.QP_CREATE, 1),
    /// Handle of the protection domain.
    CREATE_QP_PD_HANDLE(UverbsMethod.QP_CREATE, 2),
    /// Handle of the shared receive queue; left out if there is none.
    CREATE_QP_SRQ_HANDLE(UverbsMethod.QP_CREATE, 3),
    /// Handle of the completion queue for sends.
    CREATE_QP_SEND_CQ_HANDLE(UverbsMethod.QP_CREATE, 4),
    /// Handle of the completion queue for receives.
    CREATE_QP_RECV_CQ_HANDLE(UverbsMethod.QP_CREATE, 5),
    /// Handle of an indirection table.
    CREATE_QP_IND_TABLE_HANDLE(UverbsMethod.QP_CREATE, 6),
    /// In, u64: what its events carry.
    CREATE_QP_USER_HANDLE(UverbsMethod.QP_CREATE, 7),
    /// In: [IbUverbsQpCap] wanted.
    CREATE_QP_CAP(UverbsMethod.QP_CREATE, 8),
    /// Constant: `IB_UVERBS_QPT_*`.
    CREATE_QP_TYPE(UverbsMethod.QP_CREATE, 9),
    /// In, u32: `IB_UVERBS_QP_CREATE_*`.
    CREATE_QP_FLAGS(UverbsMethod.QP_CREATE, 10),
    /// In, u32: number that an underlay queue pair sends from.
    CREATE_QP_SOURCE_QPN(UverbsMethod.QP_CREATE, 11),
    /// File descriptor for its asynchronous events; left out for the context's first.
    CREATE_QP_EVENT_FD(UverbsMethod.QP_CREATE, 12),
    /// Out: [IbUverbsQpCap] given.
    CREATE_QP_RESP_CAP(UverbsMethod.QP_CREATE, 13),
    /// Out, u32: queue pair number.
    CREATE_QP_RESP_QP_NUM(UverbsMethod.QP_CREATE, 14),
    /// Handle.
    DESTROY_QP_HANDLE(UverbsMethod.QP_DESTROY, 0),
    /// Out: [IbUverbsDestroyQpResp].
    DESTROY_QP_RESP(UverbsMethod.QP_DESTROY, 1),

    /// New handle.
    CREATE_SRQ_HANDLE(UverbsMethod.SRQ_CREATE, 0),
    /// Handle of the protection domain.
    CREATE_SRQ_PD_HANDLE(UverbsMethod.SRQ_CREATE, 1),
    /// In, u64: what its events carry.
    CREATE_SRQ_USER_HANDLE(UverbsMethod.SRQ_CREATE, 4),
    /// In, u32: receives wanted.
    CREATE_SRQ_MAX_WR(UverbsMethod.SRQ_CREATE, 5),
    /// In, u32: buffers of each.
    CREATE_SRQ_MAX_SGE(UverbsMethod.SRQ_CREATE, 6),
    /// In, u32: armed limit, 0 for none.
    CREATE_SRQ_LIMIT(UverbsMethod.SRQ_CREATE, 7),
    /// Constant: `IB_UVERBS_SRQT_*`, 0 for the plain kind.
    CREATE_SRQ_TYPE(UverbsMethod.SRQ_CREATE, 9),
    /// File descriptor for its asynchronous events; left out for the context's first.
    CREATE_SRQ_EVENT_FD(UverbsMethod.SRQ_CREATE, 10),
    /// Out, u32: receives given.
    CREATE_SRQ_RESP_MAX_WR(UverbsMethod.SRQ_CREATE, 11),
    /// Out, u32: buffers of each.
    CREATE_SRQ_RESP_MAX_SGE(UverbsMethod.SRQ_CREATE, 12),
    /// Out, u32: its number; XRC only.
    CREATE_SRQ_RESP_SRQ_NUM(UverbsMethod.SRQ_CREATE, 13),
    /// Handle.
    DESTROY_SRQ_HANDLE(UverbsMethod.SRQ_DESTROY, 0),
    /// Out: [IbUverbsDestroySrqResp].
    DESTROY_SRQ_RESP(UverbsMethod.SRQ_DESTROY, 1),

    /// Handle.
    DESTROY_AH_HANDLE(UverbsMethod.AH_DESTROY, 0),

    /// Handle.
    DESTROY_MR_HANDLE(UverbsMethod.MR_DESTROY, 0),
    /// Handle of the protection domain.
    ADVISE_MR_PD_HANDLE(UverbsMethod.ADVISE_MR, 0),
    /// Constant: `IB_UVERBS_ADVISE_MR_ADVICE_*`.
    ADVISE_MR_ADVICE(UverbsMethod.ADVISE_MR, 1),
    /// In, u32: `IB_UVERBS_ADVISE_MR_FLAG_*`.
    ADVISE_MR_FLAGS(UverbsMethod.ADVISE_MR, 2),
    /// In: array of [IbUverbsSge].
    ADVISE_MR_SGE_LIST(UverbsMethod.ADVISE_MR, 3),
    /// Handle.
    QUERY_MR_HANDLE(UverbsMethod.QUERY_MR, 0),
    /// Out, u32.
    QUERY_MR_RESP_LKEY(UverbsMethod.QUERY_MR, 1),
    /// Out, u32.
    QUERY_MR_RESP_RKEY(UverbsMethod.QUERY_MR, 2),
    /// Out, u64: bytes.
    QUERY_MR_RESP_LENGTH(UverbsMethod.QUERY_MR, 3),
    /// Out, u64: address of the first byte for work requests.
    QUERY_MR_RESP_IOVA(UverbsMethod.QUERY_MR, 4),

    /// Handle.
    DESTROY_MW_HANDLE(UverbsMethod.MW_DESTROY, 0),

    /// New file descriptor.
    ASYNC_EVENT_ALLOC_FD_HANDLE(UverbsMethod.ASYNC_EVENT_ALLOC, 0);

    private final @Nullable UverbsMethod method;
    private final int id;

    UverbsAttribute(@Nullable UverbsMethod method, int id) {
        this.method = method;
        this.id = id;
    }

    /// The method that takes the attribute; empty if any method may.
    public Optional<UverbsMethod> method() {
        return Optional.ofNullable(method);
    }

    @Override
    public int id() {
        return id;
    }

    /// The name in the header.
    public String cName() {
        return "UVERBS_ATTR_" + name();
    }

    /// The attribute of a method and a number, if verbs4j uses it.
    public static Optional<UverbsAttribute> of(UverbsMethod method, int id) {
        return Arrays.stream(values())
                .filter(attribute -> attribute.id == id && (attribute.method == null || attribute.method == method))
                .findFirst();
    }
}
