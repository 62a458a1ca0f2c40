// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import java.util.List;
import java.util.Optional;

/// All structs of this package, for whoever compares or explains them.
public final class CStructs {
    private static final List<CStruct> ALL = List.of(
            IbUverbsIoctlHdr.STRUCT,
            IbUverbsAttr.STRUCT,
            IbUverbsCmdHdr.STRUCT,
            IbUverbsExCmdHdr.STRUCT,
            IbUverbsGetContext.STRUCT,
            IbUverbsGetContextResp.STRUCT,
            IbUverbsQueryDevice.STRUCT,
            IbUverbsQueryDeviceResp.STRUCT,
            IbUverbsExQueryDevice.STRUCT,
            IbUverbsOdpCaps.STRUCT,
            IbUverbsRssCaps.STRUCT,
            IbUverbsTmCaps.STRUCT,
            IbUverbsCqModerationCaps.STRUCT,
            IbUverbsExQueryDeviceResp.STRUCT,
            IbUverbsQueryPort.STRUCT,
            IbUverbsQueryPortResp.STRUCT,
            IbUverbsQueryPortRespEx.STRUCT,
            IbUverbsGidEntry.STRUCT,
            IbUverbsAllocPd.STRUCT,
            IbUverbsAllocPdResp.STRUCT,
            IbUverbsDeallocPd.STRUCT,
            IbUverbsRegMr.STRUCT,
            IbUverbsRegMrResp.STRUCT,
            IbUverbsReregMr.STRUCT,
            IbUverbsReregMrResp.STRUCT,
            IbUverbsDeregMr.STRUCT,
            IbUverbsSge.STRUCT,
            IbUverbsAllocMw.STRUCT,
            IbUverbsAllocMwResp.STRUCT,
            IbUverbsDeallocMw.STRUCT,
            IbUverbsGlobalRoute.STRUCT,
            IbUverbsAhAttr.STRUCT,
            IbUverbsCreateAh.STRUCT,
            IbUverbsCreateAhResp.STRUCT,
            IbUverbsDestroyAh.STRUCT,
            IbUverbsCreateCompChannel.STRUCT,
            IbUverbsCreateCompChannelResp.STRUCT,
            IbUverbsCreateCq.STRUCT,
            IbUverbsCreateCqResp.STRUCT,
            IbUverbsExCreateCq.STRUCT,
            IbUverbsExCreateCqResp.STRUCT,
            IbUverbsResizeCq.STRUCT,
            IbUverbsResizeCqResp.STRUCT,
            IbUverbsReqNotifyCq.STRUCT,
            IbUverbsDestroyCq.STRUCT,
            IbUverbsDestroyCqResp.STRUCT,
            IbUverbsCreateSrq.STRUCT,
            IbUverbsCreateSrqResp.STRUCT,
            IbUverbsModifySrq.STRUCT,
            IbUverbsQuerySrq.STRUCT,
            IbUverbsQuerySrqResp.STRUCT,
            IbUverbsDestroySrq.STRUCT,
            IbUverbsDestroySrqResp.STRUCT,
            IbUverbsQpCap.STRUCT,
            IbUverbsCreateQp.STRUCT,
            IbUverbsCreateQpResp.STRUCT,
            IbUverbsQpDest.STRUCT,
            IbUverbsModifyQp.STRUCT,
            IbUverbsExModifyQp.STRUCT,
            IbUverbsExModifyQpResp.STRUCT,
            IbUverbsQueryQp.STRUCT,
            IbUverbsQueryQpResp.STRUCT,
            IbUverbsDestroyQp.STRUCT,
            IbUverbsDestroyQpResp.STRUCT,
            IbUverbsPostSend.STRUCT,
            IbUverbsPostSendResp.STRUCT,
            IbUverbsAttachMcast.STRUCT,
            IbUverbsDetachMcast.STRUCT,
            IbUverbsAsyncEventDesc.STRUCT,
            IbUverbsCompEventDesc.STRUCT,
            Nlmsghdr.STRUCT,
            Nlattr.STRUCT,
            Nlmsgerr.STRUCT,
            Pollfd.STRUCT,
            KernelTimespec.STRUCT,
            SockaddrLl.STRUCT,
            SockFilter.STRUCT,
            SockFprog.STRUCT,
            TpacketStats.STRUCT);

    private CStructs() {}

    /// All of them, in the order in which the package introduces them: envelopes, then object by object.
    public static List<CStruct> all() {
        return ALL;
    }

    /// The struct of a C name, without `struct`.
    public static Optional<CStruct> named(String name) {
        return ALL.stream().filter(struct -> struct.name().equals(name)).findFirst();
    }
}
