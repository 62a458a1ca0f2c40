// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.completion.CreateCompletionQueue;
import io.verbs4j.abi.completion.ResizeCompletionQueue;
import io.verbs4j.abi.context.QueryGidEntry;
import io.verbs4j.abi.context.QueryPort;
import io.verbs4j.abi.datagram.AttachMulticast;
import io.verbs4j.abi.datagram.CreateAddressHandle;
import io.verbs4j.abi.datagram.DetachMulticast;
import io.verbs4j.abi.failure.SystemOperation;
import io.verbs4j.abi.memory.AllocateMemoryWindow;
import io.verbs4j.abi.memory.RegisterMemory;
import io.verbs4j.abi.memory.ReregisterMemory;
import io.verbs4j.abi.queuepair.CreateQueuePair;
import io.verbs4j.abi.queuepair.ModifyQueuePair;
import io.verbs4j.abi.queuepair.PostSendDoorbell;
import io.verbs4j.abi.queuepair.QueuePairTransitions;
import io.verbs4j.abi.sharedreceive.CreateSharedReceiveQueue;
import io.verbs4j.abi.uapi.UverbsObject;
import io.verbs4j.types.Errno;
import io.verbs4j.types.QueuePairAttribute;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Finds the mistake in a command that the kernel refused. The errno only reports a failure, and does not name the
/// mistake. Checks the arguments, the objects that the arguments name, and earlier reports of the kernel about the
/// device.
final class Diagnosis {
    private static final String RXE = "rdma_rxe";
    /// `RXE_MAX_INLINE_DATA` (rxe_param.h).
    private static final int RXE_MAX_INLINE = 512;

    /// The commands whose requests can contain specific mistakes.
    private static final Map<CommandSpecification, Function<Diagnosis, String>> EXPERTS = Map.ofEntries(
            Map.entry(RegisterMemory.SPECIFICATION, Diagnosis::registration),
            Map.entry(ReregisterMemory.SPECIFICATION, Diagnosis::registration),
            Map.entry(CreateAddressHandle.SPECIFICATION, diagnosis -> diagnosis.path("attr.", "attr.grh.")),
            Map.entry(ModifyQueuePair.SPECIFICATION, Diagnosis::modify),
            Map.entry(CreateCompletionQueue.SPECIFICATION, Diagnosis::completionQueue),
            Map.entry(ResizeCompletionQueue.SPECIFICATION, Diagnosis::completionQueue),
            Map.entry(CreateQueuePair.SPECIFICATION, Diagnosis::queuePair),
            Map.entry(CreateSharedReceiveQueue.SPECIFICATION, Diagnosis::sharedReceiveQueue),
            Map.entry(PostSendDoorbell.SPECIFICATION, Diagnosis::doorbell),
            Map.entry(QueryPort.SPECIFICATION, diagnosis -> diagnosis.port(diagnosis.draft.given("port_num"))),
            Map.entry(QueryGidEntry.SPECIFICATION, Diagnosis::gidEntry),
            Map.entry(AllocateMemoryWindow.SPECIFICATION, Diagnosis::memoryWindow),
            Map.entry(AttachMulticast.SPECIFICATION, Diagnosis::multicast),
            Map.entry(DetachMulticast.SPECIFICATION, Diagnosis::multicast));

    private final CommandSpecification command;
    private final int errno;
    private final DecodedCommand draft;
    private final ObjectNames names;

    Diagnosis(CommandSpecification command, int errno, DecodedCommand draft) {
        this.command = command;
        this.errno = errno;
        this.draft = draft;
        this.names = draft.names;
    }

    /// Returns the likely reason why a ring cannot be mapped.
    static String map(ObjectNames names, long offset, int errno) {
        if (errno != Errno.EINVAL) {
            return SystemOperation.MAP_RING.explain(errno);
        }
        return names.ring(offset)
                .map(ring -> ring + " was mapped before, or the length differs from the kernel's offer")
                .orElseGet(
                        () -> "no command of this context was answered with the offset 0x" + Long.toHexString(offset));
    }

    /// Returns the mistake as a sentence without a full stop; empty if it is unknown.
    String find() {
        String unknown = unknownObject();
        if (!unknown.isEmpty() && (errno == Errno.ENOENT || errno == Errno.EINVAL)) {
            return unknown;
        }
        if (command.effect() == CommandSpecification.Effect.DESTROYS) {
            return command.object().map(this::busy).orElse("");
        }
        return EXPERTS.getOrDefault(command, _ -> "").apply(this);
    }

    /// Returns the first handle of the request that belongs to no object of this context.
    private String unknownObject() {
        for (Map.Entry<String, Long> number : draft.given.entrySet()) {
            UverbsObject kind = ObjectNames.kindOf(number.getKey());
            int handle = number.getValue().intValue();
            if (kind != null && isUsed(number.getKey()) && names.find(kind, handle) == null) {
                return number.getKey() + "=" + Integer.toUnsignedString(handle) + ": this context has no "
                        + kind.name().toLowerCase(Locale.ROOT)
                        + " with this handle; it was destroyed, or belongs to another context";
            }
        }
        return "";
    }

    /// Returns whether the kernel evaluates the field of a handle.
    private boolean isUsed(String field) {
        return switch (field) {
            case "srq_handle" -> draft.usesSharedReceiveQueue();
            case "pd_handle" -> RegistrationDiagnosis.changes(command, draft, ReregisterMemory.PROTECTION_DOMAIN);
            default -> true;
        };
    }

    private String registration() {
        return new RegistrationDiagnosis(command, errno, draft).find();
    }

    /// Returns the mistake in a path to the peer, in an address handle or a queue pair.
    ///
    /// @param to prefix of the path's fields
    /// @param route prefix of the global route's fields
    private String path(String to, String route) {
        long index = draft.given(route + "sgid_index");
        String gid = draft.texts.getOrDefault(route + "dgid", "?");
        String port = port(draft.given(to + "port_num"));
        return switch (errno) {
            case Errno.EINVAL -> {
                if (draft.given(to + "is_global") == 0) {
                    yield "is_global=0: the path has no GID (no GRH), but RoCE addresses peers by their GIDs";
                }
                if (!port.isEmpty()) {
                    yield port;
                }
                long table = names.limit("gid_tbl_len");
                if (table >= 0 && index >= table) {
                    yield "sgid_index=" + index + " is beyond the port's GID table, which has " + table + " slots";
                }
                yield GidFamilies.mismatch(names.device(), (int) draft.given(to + "port_num"), (int) index, gid);
            }
            case Errno.ENODATA -> "sgid_index=" + index + ": this slot of the GID table is empty";
            case Errno.ETIMEDOUT ->
                "no host answered for dgid=" + gid
                        + ": its Ethernet address could not be resolved; the address is wrong, or the peer's interface is"
                        + " down";
            case Errno.ENETUNREACH, Errno.EHOSTUNREACH -> "there is no route to dgid=" + gid;
            default -> "";
        };
    }

    private String modify() {
        TracedObject queuePair = names.find(UverbsObject.QP, ObjectTracker.handle(UverbsObject.QP, draft));
        if (queuePair == null) {
            return "";
        }
        int mask = (int) draft.given("attr_mask");
        QueuePairState from = QueuePairState.of((int) queuePair.fact("qp_state", 0));
        QueuePairState to = (mask & 1) == 0 ? from : QueuePairState.of((int) draft.given("qp_state"));
        QueuePairType type = type(queuePair);
        if (type == null) {
            return "";
        }
        String transition = queuePair.name() + ": " + QueuePairTransitions.transition(type, from, to);
        if (errno == Errno.EINVAL) {
            List<String> violations = QueuePairTransitions.violations(type, from, to, mask);
            if (!violations.isEmpty()) {
                return transition + " " + String.join("; ", violations);
            }
        }
        String value = value(mask);
        return value.isEmpty() ? "" : transition + ": " + value;
    }

    private static @Nullable QueuePairType type(TracedObject queuePair) {
        for (QueuePairType type : QueuePairType.values()) {
            if (type.value() == queuePair.fact("qp_type", 0)) {
                return type;
            }
        }
        return null;
    }

    private String value(int mask) {
        for (Limit limit : List.of(
                new Limit(QueuePairAttribute.PATH_MTU, "path_mtu", "max_mtu"),
                new Limit(QueuePairAttribute.MAX_READ_ATOMIC, "max_rd_atomic", "max_qp_init_rd_atom"),
                new Limit(
                        QueuePairAttribute.MAX_DESTINATION_READ_ATOMIC,
                        "max_dest_rd_atomic",
                        "max_qp_rd_atom"))) {
            String over = (mask & limit.attribute().bit()) == 0 ? "" : over(limit.field(), limit.most());
            if (errno == Errno.EINVAL && !over.isEmpty()) {
                return over;
            }
        }
        if (errno == Errno.EINVAL && (mask & QueuePairAttribute.PORT.bit()) != 0) {
            String port = port(draft.given("port_num"));
            if (!port.isEmpty()) {
                return port;
            }
        }
        if (errno == Errno.EINVAL && (mask & QueuePairAttribute.PKEY_INDEX.bit()) != 0
                && names.limit("pkey_tbl_len") >= 0 && draft.given("pkey_index") >= names.limit("pkey_tbl_len")) {
            return "pkey_index=" + draft.given("pkey_index") + " is beyond the port's P_Key table, which has "
                    + names.limit("pkey_tbl_len") + " entries";
        }
        return (mask & QueuePairAttribute.ADDRESS_VECTOR.bit()) == 0 ? "" : path("dest.", "dest.");
    }

    /// A field of the request that must not exceed a limit of the device.
    private record Limit(QueuePairAttribute attribute, String field, String most) {}

    private String over(String field, String limit) {
        long most = names.limit(limit);
        long wanted = draft.given(field);
        return most >= 0 && wanted > most ? field + "=" + wanted + " exceeds the device's " + limit + "=" + most : "";
    }

    private String completionQueue() {
        if (errno == Errno.EBADF) {
            return "the completion channel " + names.file((int) draft.given("comp_channel"))
                    + " is closed, or belongs to another context";
        }
        if (errno != Errno.EINVAL) {
            return "";
        }
        if (draft.given("cqe") == 0) {
            return "cqe=0: a completion queue needs at least one entry";
        }
        String over = over("cqe", "max_cqe");
        if (!over.isEmpty()) {
            return over;
        }
        long vectors = names.limit("num_comp_vectors");
        long vector = draft.given("comp_vector");
        return vectors >= 0 && vector >= vectors
                ? "comp_vector=" + vector + ": the device has vectors 0 to " + (vectors - 1)
                : "";
    }

    private String queuePair() {
        if (errno != Errno.EINVAL) {
            return "";
        }
        String over = firstOver(Map.of(
                "max_send_wr",
                "max_qp_wr",
                "max_recv_wr",
                "max_qp_wr",
                "max_send_sge",
                "max_sge",
                "max_recv_sge",
                "max_sge"));
        boolean fits = draft.given("max_inline_data") <= (draft.driver.module().equals(RXE) ? RXE_MAX_INLINE : 0);
        return !over.isEmpty() || fits
                ? over
                : "max_inline_data=" + draft.given("max_inline_data")
                        + " probably exceeds the driver's limit, which no query reports (rxe: " + RXE_MAX_INLINE + ")";
    }

    private String sharedReceiveQueue() {
        if (errno != Errno.EINVAL) {
            return "";
        }
        if (draft.given("max_wr") == 0) {
            return "max_wr=0: a shared receive queue needs room for at least one receive";
        }
        return firstOver(Map.of("max_wr", "max_srq_wr", "max_sge", "max_srq_sge"));
    }

    private String firstOver(Map<String, String> limits) {
        return limits.entrySet()
                .stream()
                .map(limit -> over(limit.getKey(), limit.getValue()))
                .filter(text -> !text.isEmpty())
                .sorted()
                .collect(Collectors.joining("; "));
    }

    private String busy(UverbsObject kind) {
        TracedObject object = names.find(kind, ObjectTracker.handle(kind, draft));
        if (object == null || errno != Errno.EBUSY) {
            return "";
        }
        List<String> users = names.usersOf(object);
        return users.isEmpty() ? ""
                : object.name() + " is in use by " + String.join(", ", users) + "; destroy these objects first";
    }

    private String memoryWindow() {
        long type = draft.given("mw_type");
        return errno == Errno.EINVAL && type != 1 && type != 2
                ? "mw_type=" + type + ": the type is neither 1 nor 2"
                : "";
    }

    private String doorbell() {
        TracedObject queuePair = names.find(UverbsObject.QP, ObjectTracker.handle(UverbsObject.QP, draft));
        if (queuePair == null || errno != Errno.EINVAL) {
            return "";
        }
        QueuePairState state = QueuePairState.of((int) queuePair.fact("qp_state", 0));
        return state.compareTo(QueuePairState.RTS) >= 0
                ? ""
                : queuePair.name() + " is in " + state
                        + ": sends are executed in RTS only; posted work requests wait in the ring for the first"
                        + " doorbell after that";
    }

    private String port(long number) {
        long ports = names.limit("phys_port_cnt");
        return ports >= 0 && (number < 1 || number > ports)
                ? "port " + number + " does not exist; the device has ports 1 to " + ports
                : "";
    }

    private String gidEntry() {
        long index = draft.given("gid_index");
        String port = port(draft.given("port"));
        return switch (errno) {
            case Errno.ENODATA ->
                "slot " + index
                        + " of the GID table is empty; the kernel fills one slot for each IP address of the interface";
            case Errno.EINVAL ->
                port.isEmpty() ? "gid_index=" + index + " is beyond the port's GID table" : port;
            default -> "";
        };
    }

    private String multicast() {
        TracedObject queuePair = names.find(UverbsObject.QP, ObjectTracker.handle(UverbsObject.QP, draft));
        if (errno != Errno.EINVAL || queuePair == null) {
            return "";
        }
        QueuePairType type = type(queuePair);
        String gid = draft.texts.getOrDefault("gid", "?");
        if (type != QueuePairType.UD) {
            return queuePair.name() + " is " + type + "; only UD queue pairs join multicast groups";
        }
        return gid.startsWith("ff") ? "" : "gid=" + gid + " is not a multicast address; these begin with ff";
    }
}
