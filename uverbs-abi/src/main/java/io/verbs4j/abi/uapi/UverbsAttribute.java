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
    UHW_IN(null, 0x1000, Kind.IN),
    /// The driver's answer, of any method that gives one.
    UHW_OUT(null, 0x1001, Kind.OUT),

    /// Request struct of the write command.
    CORE_IN(UverbsMethod.INVOKE_WRITE, 0, Kind.IN),
    /// Answer struct of the write command.
    CORE_OUT(UverbsMethod.INVOKE_WRITE, 1, Kind.OUT),
    /// Constant: [IbUserVerbsCmd] number, with bit 31 for an extended one.
    WRITE_CMD(UverbsMethod.INVOKE_WRITE, 2, Kind.CONSTANT),

    /// Constant: the port, from 1.
    QUERY_PORT_PORT_NUM(UverbsMethod.QUERY_PORT, 0, Kind.CONSTANT),
    /// Out: [IbUverbsQueryPortRespEx].
    QUERY_PORT_RESP(UverbsMethod.QUERY_PORT, 1, Kind.OUT),

    /// Out, u32: number of completion vectors.
    GET_CONTEXT_NUM_COMP_VECTORS(UverbsMethod.GET_CONTEXT, 0, Kind.OUT),
    /// Out, u64: abilities of the core (`enum ib_uverbs_core_support`).
    GET_CONTEXT_CORE_SUPPORT(UverbsMethod.GET_CONTEXT, 1, Kind.OUT),

    /// Constant: bytes of an entry.
    QUERY_GID_TABLE_ENTRY_SIZE(UverbsMethod.QUERY_GID_TABLE, 0, Kind.CONSTANT),
    /// In, u32: none defined.
    QUERY_GID_TABLE_FLAGS(UverbsMethod.QUERY_GID_TABLE, 1, Kind.IN),
    /// Out: array of [IbUverbsGidEntry].
    QUERY_GID_TABLE_RESP_ENTRIES(UverbsMethod.QUERY_GID_TABLE, 2, Kind.OUT),
    /// Out, u64: how many entries were written.
    QUERY_GID_TABLE_RESP_NUM_ENTRIES(UverbsMethod.QUERY_GID_TABLE, 3, Kind.OUT),

    /// Constant: the port, from 1.
    QUERY_GID_ENTRY_PORT(UverbsMethod.QUERY_GID_ENTRY, 0, Kind.CONSTANT),
    /// Constant: index in the port's table.
    QUERY_GID_ENTRY_GID_INDEX(UverbsMethod.QUERY_GID_ENTRY, 1, Kind.CONSTANT),
    /// In, u32: none defined, and yet mandatory.
    QUERY_GID_ENTRY_FLAGS(UverbsMethod.QUERY_GID_ENTRY, 2, Kind.IN),
    /// Out: [IbUverbsGidEntry].
    QUERY_GID_ENTRY_RESP_ENTRY(UverbsMethod.QUERY_GID_ENTRY, 3, Kind.OUT),

    /// Handle.
    DESTROY_PD_HANDLE(UverbsMethod.PD_DESTROY, 0, Kind.HANDLE),

    /// New handle.
    CREATE_CQ_HANDLE(UverbsMethod.CQ_CREATE, 0, Kind.NEW_HANDLE),
    /// In, u32: entries wanted.
    CREATE_CQ_CQE(UverbsMethod.CQ_CREATE, 1, Kind.IN),
    /// In, u64: what its events carry.
    CREATE_CQ_USER_HANDLE(UverbsMethod.CQ_CREATE, 2, Kind.IN),
    /// File descriptor of the completion channel; left out if there is none.
    CREATE_CQ_COMP_CHANNEL(UverbsMethod.CQ_CREATE, 3, Kind.FILE),
    /// In, u32: completion vector.
    CREATE_CQ_COMP_VECTOR(UverbsMethod.CQ_CREATE, 4, Kind.IN),
    /// In, u32: `IB_UVERBS_CQ_FLAGS_*`; left out if there are none.
    CREATE_CQ_FLAGS(UverbsMethod.CQ_CREATE, 5, Kind.IN),
    /// Out, u32: entries given.
    CREATE_CQ_RESP_CQE(UverbsMethod.CQ_CREATE, 6, Kind.OUT),
    /// File descriptor for its asynchronous events; left out for the context's first.
    CREATE_CQ_EVENT_FD(UverbsMethod.CQ_CREATE, 7, Kind.FILE),
    /// Handle.
    DESTROY_CQ_HANDLE(UverbsMethod.CQ_DESTROY, 0, Kind.HANDLE),
    /// Out: [IbUverbsDestroyCqResp].
    DESTROY_CQ_RESP(UverbsMethod.CQ_DESTROY, 1, Kind.OUT),

    /// New handle.
    CREATE_QP_HANDLE(UverbsMethod.QP_CREATE, 0, Kind.NEW_HANDLE),
    /// Handle of an XRC domain.
    CREATE_QP_XRCD_HANDLE(UverbsMethod.QP_CREATE, 1, Kind.HANDLE),
    /// Handle of the protection domain.
    CREATE_QP_PD_HANDLE(UverbsMethod.QP_CREATE, 2, Kind.HANDLE),
    /// Handle of the shared receive queue; left out if there is none.
    CREATE_QP_SRQ_HANDLE(UverbsMethod.QP_CREATE, 3, Kind.HANDLE),
    /// Handle of the completion queue for sends.
    CREATE_QP_SEND_CQ_HANDLE(UverbsMethod.QP_CREATE, 4, Kind.HANDLE),
    /// Handle of the completion queue for receives.
    CREATE_QP_RECV_CQ_HANDLE(UverbsMethod.QP_CREATE, 5, Kind.HANDLE),
    /// Handle of an indirection table.
    CREATE_QP_IND_TABLE_HANDLE(UverbsMethod.QP_CREATE, 6, Kind.HANDLE),
    /// In, u64: what its events carry.
    CREATE_QP_USER_HANDLE(UverbsMethod.QP_CREATE, 7, Kind.IN),
    /// In: [IbUverbsQpCap] wanted.
    CREATE_QP_CAP(UverbsMethod.QP_CREATE, 8, Kind.IN),
    /// Constant: `IB_UVERBS_QPT_*`.
    CREATE_QP_TYPE(UverbsMethod.QP_CREATE, 9, Kind.CONSTANT),
    /// In, u32: `IB_UVERBS_QP_CREATE_*`.
    CREATE_QP_FLAGS(UverbsMethod.QP_CREATE, 10, Kind.IN),
    /// In, u32: number that an underlay queue pair sends from.
    CREATE_QP_SOURCE_QPN(UverbsMethod.QP_CREATE, 11, Kind.IN),
    /// File descriptor for its asynchronous events; left out for the context's first.
    CREATE_QP_EVENT_FD(UverbsMethod.QP_CREATE, 12, Kind.FILE),
    /// Out: [IbUverbsQpCap] given.
    CREATE_QP_RESP_CAP(UverbsMethod.QP_CREATE, 13, Kind.OUT),
    /// Out, u32: queue pair number.
    CREATE_QP_RESP_QP_NUM(UverbsMethod.QP_CREATE, 14, Kind.OUT),
    /// Handle.
    DESTROY_QP_HANDLE(UverbsMethod.QP_DESTROY, 0, Kind.HANDLE),
    /// Out: [IbUverbsDestroyQpResp].
    DESTROY_QP_RESP(UverbsMethod.QP_DESTROY, 1, Kind.OUT),

    /// New handle.
    CREATE_SRQ_HANDLE(UverbsMethod.SRQ_CREATE, 0, Kind.NEW_HANDLE),
    /// Handle of the protection domain.
    CREATE_SRQ_PD_HANDLE(UverbsMethod.SRQ_CREATE, 1, Kind.HANDLE),
    /// In, u64: what its events carry.
    CREATE_SRQ_USER_HANDLE(UverbsMethod.SRQ_CREATE, 4, Kind.IN),
    /// In, u32: receives wanted.
    CREATE_SRQ_MAX_WR(UverbsMethod.SRQ_CREATE, 5, Kind.IN),
    /// In, u32: buffers of each.
    CREATE_SRQ_MAX_SGE(UverbsMethod.SRQ_CREATE, 6, Kind.IN),
    /// In, u32: armed limit, 0 for none.
    CREATE_SRQ_LIMIT(UverbsMethod.SRQ_CREATE, 7, Kind.IN),
    /// Constant: `IB_UVERBS_SRQT_*`, 0 for the plain kind.
    CREATE_SRQ_TYPE(UverbsMethod.SRQ_CREATE, 9, Kind.CONSTANT),
    /// File descriptor for its asynchronous events; left out for the context's first.
    CREATE_SRQ_EVENT_FD(UverbsMethod.SRQ_CREATE, 10, Kind.FILE),
    /// Out, u32: receives given.
    CREATE_SRQ_RESP_MAX_WR(UverbsMethod.SRQ_CREATE, 11, Kind.OUT),
    /// Out, u32: buffers of each.
    CREATE_SRQ_RESP_MAX_SGE(UverbsMethod.SRQ_CREATE, 12, Kind.OUT),
    /// Out, u32: its number; XRC only.
    CREATE_SRQ_RESP_SRQ_NUM(UverbsMethod.SRQ_CREATE, 13, Kind.OUT),
    /// Handle.
    DESTROY_SRQ_HANDLE(UverbsMethod.SRQ_DESTROY, 0, Kind.HANDLE),
    /// Out: [IbUverbsDestroySrqResp].
    DESTROY_SRQ_RESP(UverbsMethod.SRQ_DESTROY, 1, Kind.OUT),

    /// Handle.
    DESTROY_AH_HANDLE(UverbsMethod.AH_DESTROY, 0, Kind.HANDLE),

    /// Handle.
    DESTROY_MR_HANDLE(UverbsMethod.MR_DESTROY, 0, Kind.HANDLE),
    /// Handle of the protection domain.
    ADVISE_MR_PD_HANDLE(UverbsMethod.ADVISE_MR, 0, Kind.HANDLE),
    /// Constant: `IB_UVERBS_ADVISE_MR_ADVICE_*`.
    ADVISE_MR_ADVICE(UverbsMethod.ADVISE_MR, 1, Kind.CONSTANT),
    /// In, u32: `IB_UVERBS_ADVISE_MR_FLAG_*`.
    ADVISE_MR_FLAGS(UverbsMethod.ADVISE_MR, 2, Kind.IN),
    /// In: array of [IbUverbsSge].
    ADVISE_MR_SGE_LIST(UverbsMethod.ADVISE_MR, 3, Kind.IN),
    /// Handle.
    QUERY_MR_HANDLE(UverbsMethod.QUERY_MR, 0, Kind.HANDLE),
    /// Out, u32.
    QUERY_MR_RESP_LKEY(UverbsMethod.QUERY_MR, 1, Kind.OUT),
    /// Out, u32.
    QUERY_MR_RESP_RKEY(UverbsMethod.QUERY_MR, 2, Kind.OUT),
    /// Out, u64: bytes.
    QUERY_MR_RESP_LENGTH(UverbsMethod.QUERY_MR, 3, Kind.OUT),
    /// Out, u64: address of the first byte for work requests.
    QUERY_MR_RESP_IOVA(UverbsMethod.QUERY_MR, 4, Kind.OUT),

    /// Handle.
    DESTROY_MW_HANDLE(UverbsMethod.MW_DESTROY, 0, Kind.HANDLE),

    /// New file descriptor.
    ASYNC_EVENT_ALLOC_FD_HANDLE(UverbsMethod.ASYNC_EVENT_ALLOC, 0, Kind.NEW_FILE);

    private final @Nullable UverbsMethod method;
    private final int id;
    private final Kind kind;

    UverbsAttribute(@Nullable UverbsMethod method, int id, Kind kind) {
        this.method = method;
        this.id = id;
        this.kind = kind;
    }

    /// The kind of an argument, and so what its 8 bytes of `data` hold.
    public enum Kind {
        /// Payload that the kernel reads: up to 8 bytes themselves, or the address of more.
        IN,
        /// The address of room for an answer.
        OUT,
        /// A number.
        CONSTANT,
        /// An object's handle.
        HANDLE,
        /// 0, and afterwards the handle of a new object.
        NEW_HANDLE,
        /// A file descriptor.
        FILE,
        /// 0, and afterwards a new file descriptor.
        NEW_FILE
    }

    /// Returns what the argument is.
    public Kind kind() {
        return kind;
    }

    /// The kind of object that a handle belongs to, which the C name says at its end; empty of an argument that is no
    /// handle.
    public Optional<UverbsObject> object() {
        return Arrays.stream(UverbsObject.values())
                .filter(object -> name().endsWith("_" + object.name() + "_HANDLE"))
                .findFirst();
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
