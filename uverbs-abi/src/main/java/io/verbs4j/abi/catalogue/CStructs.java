// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.catalogue;

import io.verbs4j.abi.command.CommandEncoding;
import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.GroupReq;
import io.verbs4j.abi.uapi.IbPathRecData;
import io.verbs4j.abi.uapi.IbUserPathRec;
import io.verbs4j.abi.uapi.IbUverbsAhAttr;
import io.verbs4j.abi.uapi.IbUverbsAsyncEventDesc;
import io.verbs4j.abi.uapi.IbUverbsAttr;
import io.verbs4j.abi.uapi.IbUverbsCmdHdr;
import io.verbs4j.abi.uapi.IbUverbsCompEventDesc;
import io.verbs4j.abi.uapi.IbUverbsCqModerationCaps;
import io.verbs4j.abi.uapi.IbUverbsExCmdHdr;
import io.verbs4j.abi.uapi.IbUverbsGlobalRoute;
import io.verbs4j.abi.uapi.IbUverbsIoctlHdr;
import io.verbs4j.abi.uapi.IbUverbsOdpCaps;
import io.verbs4j.abi.uapi.IbUverbsQpDest;
import io.verbs4j.abi.uapi.IbUverbsRssCaps;
import io.verbs4j.abi.uapi.IbUverbsTmCaps;
import io.verbs4j.abi.uapi.KernelTimespec;
import io.verbs4j.abi.uapi.Nlattr;
import io.verbs4j.abi.uapi.Nlmsgerr;
import io.verbs4j.abi.uapi.Nlmsghdr;
import io.verbs4j.abi.uapi.Pollfd;
import io.verbs4j.abi.uapi.RdmaUcmCmd;
import io.verbs4j.abi.uapi.RdmaUcmCmdHdr;
import io.verbs4j.abi.uapi.RdmaUcmConnParam;
import io.verbs4j.abi.uapi.RdmaUcmEce;
import io.verbs4j.abi.uapi.RdmaUcmIbService;
import io.verbs4j.abi.uapi.RdmaUcmQueryPathResp;
import io.verbs4j.abi.uapi.RdmaUcmUdParam;
import io.verbs4j.abi.uapi.SockFilter;
import io.verbs4j.abi.uapi.SockFprog;
import io.verbs4j.abi.uapi.SockaddrIn;
import io.verbs4j.abi.uapi.SockaddrIn6;
import io.verbs4j.abi.uapi.SockaddrLl;
import io.verbs4j.abi.uapi.TpacketStats;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// All described structs of the kernel's headers, for comparison and explanation: those of commands, and others.
public final class CStructs {
    /// Envelopes, parts of other structs, responses of no command, and structs of sockets and netlink.
    private static final List<CStruct> OF_NO_COMMAND = List.of(
            IbUverbsIoctlHdr.STRUCT,
            IbUverbsAttr.STRUCT,
            IbUverbsCmdHdr.STRUCT,
            IbUverbsExCmdHdr.STRUCT,
            IbUverbsOdpCaps.STRUCT,
            IbUverbsRssCaps.STRUCT,
            IbUverbsTmCaps.STRUCT,
            IbUverbsCqModerationCaps.STRUCT,
            IbUverbsGlobalRoute.STRUCT,
            IbUverbsAhAttr.STRUCT,
            IbUverbsQpDest.STRUCT,
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
            TpacketStats.STRUCT,
            SockaddrIn.STRUCT,
            SockaddrIn6.STRUCT,
            GroupReq.STRUCT,
            IbUserPathRec.STRUCT,
            IbPathRecData.STRUCT,
            RdmaUcmCmdHdr.STRUCT,
            RdmaUcmQueryPathResp.STRUCT,
            RdmaUcmConnParam.STRUCT,
            RdmaUcmUdParam.STRUCT,
            RdmaUcmEce.STRUCT,
            RdmaUcmIbService.STRUCT);
    private static final Set<CStruct> ALL = new LinkedHashSet<>(OF_NO_COMMAND);

    static {
        for (CommandSpecification specification : CommandCatalogue.all()) {
            for (CommandEncoding encoding : specification.encodings()) {
                switch (encoding) {
                    case CommandEncoding.Method method ->
                        method.method().attributes().forEach(attribute -> attribute.struct().ifPresent(ALL::add));
                    case CommandEncoding.Write write -> add(write.command().request(), write.command().response());
                    case CommandEncoding.ConnectionManager manager -> {}
                }
            }
        }
        for (RdmaUcmCmd command : CommandCatalogue.connectionManager()) {
            add(command.request(), command.response());
        }
    }

    private CStructs() {}

    private static void add(CStruct request, Optional<CStruct> response) {
        ALL.add(request);
        response.ifPresent(ALL::add);
    }

    /// Returns all structs: first those that belong to no command, then those of each command.
    public static Collection<CStruct> all() {
        return Collections.unmodifiableSet(ALL);
    }

    /// Returns the struct with a C name, without `struct`.
    public static Optional<CStruct> named(String name) {
        return ALL.stream().filter(struct -> struct.name().equals(name)).findFirst();
    }
}
