// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.catalogue;

import io.verbs4j.abi.cm.QueryPaths;
import io.verbs4j.abi.cm.UnsentCommands;
import io.verbs4j.abi.command.CommandEncoding;
import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.IbUverbsAhAttr;
import io.verbs4j.abi.uapi.IbUverbsAsyncEventDesc;
import io.verbs4j.abi.uapi.IbUverbsAttr;
import io.verbs4j.abi.uapi.IbUverbsCmdHdr;
import io.verbs4j.abi.uapi.IbUverbsCompEventDesc;
import io.verbs4j.abi.uapi.IbUverbsExCmdHdr;
import io.verbs4j.abi.uapi.IbUverbsExQueryDeviceResp;
import io.verbs4j.abi.uapi.IbUverbsIoctlHdr;
import io.verbs4j.abi.uapi.IbUverbsQpDest;
import io.verbs4j.abi.uapi.LinuxStructs;
import io.verbs4j.abi.uapi.RdmaUcmCmd;
import io.verbs4j.abi.uapi.RdmaUcmCmdHdr;
import io.verbs4j.abi.uapi.RdmaUcmConnParam;
import io.verbs4j.abi.uapi.RdmaUcmUdParam;
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
            IbUverbsExQueryDeviceResp.ODP_CAPS,
            IbUverbsExQueryDeviceResp.RSS_CAPS,
            IbUverbsExQueryDeviceResp.TM_CAPS,
            IbUverbsExQueryDeviceResp.CQ_MODERATION_CAPS,
            IbUverbsAhAttr.GLOBAL_ROUTE,
            IbUverbsAhAttr.STRUCT,
            IbUverbsQpDest.STRUCT,
            IbUverbsAsyncEventDesc.STRUCT,
            IbUverbsCompEventDesc.STRUCT,
            LinuxStructs.NLMSGHDR,
            LinuxStructs.NLATTR,
            LinuxStructs.NLMSGERR,
            LinuxStructs.POLLFD,
            LinuxStructs.KERNEL_TIMESPEC,
            LinuxStructs.SOCKADDR_LL,
            LinuxStructs.SOCK_FILTER,
            LinuxStructs.SOCK_FPROG,
            LinuxStructs.TPACKET_STATS,
            LinuxStructs.SOCKADDR_IN,
            LinuxStructs.SOCKADDR_IN6,
            LinuxStructs.GROUP_REQ,
            UnsentCommands.PATH_RECORD,
            QueryPaths.RECORD,
            RdmaUcmCmdHdr.STRUCT,
            QueryPaths.RESPONSE,
            RdmaUcmConnParam.STRUCT,
            RdmaUcmUdParam.STRUCT,
            RdmaUcmConnParam.ECE,
            UnsentCommands.IB_SERVICE);
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
