// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.discovery;

import io.verbs4j.abi.uapi.RdmaNldev;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// Kinds of objects that the kernel accounts for (drivers/infiniband/core/restrack.c), and their numbers in RDMA
/// netlink.
public enum ResourceKind {
    /// Devices that processes have open.
    CONTEXT(
            "ctx",
            RdmaNldev.CMD_RES_CTX_GET,
            RdmaNldev.ATTR_RES_CTX,
            RdmaNldev.ATTR_RES_CTX_ENTRY,
            RdmaNldev.ATTR_RES_CTXN),
    /// Protection domains.
    PROTECTION_DOMAIN(
            "pd",
            RdmaNldev.CMD_RES_PD_GET,
            RdmaNldev.ATTR_RES_PD,
            RdmaNldev.ATTR_RES_PD_ENTRY,
            RdmaNldev.ATTR_RES_PDN,
            new Field("ctxn", RdmaNldev.ATTR_RES_CTXN),
            new Field("users", RdmaNldev.ATTR_RES_USECNT)),
    /// Memory regions.
    MEMORY_REGION(
            "mr",
            RdmaNldev.CMD_RES_MR_GET,
            RdmaNldev.ATTR_RES_MR,
            RdmaNldev.ATTR_RES_MR_ENTRY,
            RdmaNldev.ATTR_RES_MRN,
            new Field("mrlen", RdmaNldev.ATTR_RES_MRLEN),
            new Field("pdn", RdmaNldev.ATTR_RES_PDN),
            new Field("lkey", RdmaNldev.ATTR_RES_LKEY),
            new Field("rkey", RdmaNldev.ATTR_RES_RKEY)),
    /// Completion queues.
    COMPLETION_QUEUE(
            "cq",
            RdmaNldev.CMD_RES_CQ_GET,
            RdmaNldev.ATTR_RES_CQ,
            RdmaNldev.ATTR_RES_CQ_ENTRY,
            RdmaNldev.ATTR_RES_CQN,
            new Field("cqe", RdmaNldev.ATTR_RES_CQE),
            new Field("ctxn", RdmaNldev.ATTR_RES_CTXN),
            new Field("users", RdmaNldev.ATTR_RES_USECNT)),
    /// Shared receive queues.
    SHARED_RECEIVE_QUEUE(
            "srq",
            RdmaNldev.CMD_RES_SRQ_GET,
            RdmaNldev.ATTR_RES_SRQ,
            RdmaNldev.ATTR_RES_SRQ_ENTRY,
            RdmaNldev.ATTR_RES_SRQN,
            new Field("type", RdmaNldev.ATTR_RES_TYPE),
            new Field("pdn", RdmaNldev.ATTR_RES_PDN),
            new Field("cqn", RdmaNldev.ATTR_RES_CQN)),
    /// Queue pairs.
    QUEUE_PAIR(
            "qp",
            RdmaNldev.CMD_RES_QP_GET,
            RdmaNldev.ATTR_RES_QP,
            RdmaNldev.ATTR_RES_QP_ENTRY,
            RdmaNldev.ATTR_RES_LQPN,
            new Field("type", RdmaNldev.ATTR_RES_TYPE),
            new Field("state", RdmaNldev.ATTR_RES_STATE),
            new Field("rqpn", RdmaNldev.ATTR_RES_RQPN),
            new Field("sq-psn", RdmaNldev.ATTR_RES_SQ_PSN),
            new Field("rq-psn", RdmaNldev.ATTR_RES_RQ_PSN),
            new Field("pdn", RdmaNldev.ATTR_RES_PDN)),
    /// Connection identifiers of RDMA CM.
    CONNECTION_ID(
            "cm_id",
            RdmaNldev.CMD_RES_CM_ID_GET,
            RdmaNldev.ATTR_RES_CM_ID,
            RdmaNldev.ATTR_RES_CM_ID_ENTRY,
            RdmaNldev.ATTR_RES_CM_IDN,
            new Field("port-space", RdmaNldev.ATTR_RES_PS),
            new Field("lqpn", RdmaNldev.ATTR_RES_LQPN),
            new Field("type", RdmaNldev.ATTR_RES_TYPE),
            new Field("state", RdmaNldev.ATTR_RES_STATE));

    private record Field(String name, int attribute) {}

    private final String shortName;
    private final int command;
    private final int table;
    private final int entry;
    private final int number;
    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<Field> fields;

    ResourceKind(String shortName, int command, int table, int entry, int number, Field... fields) {
        this.shortName = shortName;
        this.command = command;
        this.table = table;
        this.entry = entry;
        this.number = number;
        this.fields = List.of(fields);
    }

    /// Returns the name in `rdma resource show`, such as `qp`.
    public String shortName() {
        return shortName;
    }

    int command() {
        return command;
    }

    int table() {
        return table;
    }

    int entry() {
        return entry;
    }

    KernelResource read(NetlinkAnswer answer) {
        var details = new ArrayList<KernelResource.Detail>();
        for (Field field : fields) {
            OptionalLong value = answer.number(field.attribute);
            if (value.isPresent()) {
                details.add(new KernelResource.Detail(field.name, value.getAsLong()));
            }
        }
        OptionalLong process = answer.number(RdmaNldev.ATTR_RES_PID);
        return new KernelResource(
                this,
                answer.number(number),
                process.isPresent() ? OptionalInt.of((int) process.getAsLong()) : OptionalInt.empty(),
                answer.text(RdmaNldev.ATTR_RES_KERN_NAME),
                List.copyOf(details),
                addresses(answer));
    }

    private static List<KernelResource.Address> addresses(NetlinkAnswer answer) {
        var addresses = new ArrayList<KernelResource.Address>();
        answer.address(RdmaNldev.ATTR_RES_SRC_ADDR)
                .ifPresent(address -> addresses.add(new KernelResource.Address("src-addr", address)));
        answer.address(RdmaNldev.ATTR_RES_DST_ADDR)
                .ifPresent(address -> addresses.add(new KernelResource.Address("dst-addr", address)));
        return List.copyOf(addresses);
    }
}
