// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import io.verbs4j.abi.catalogue.CommandCatalogue;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.IbUverbsAttr;
import io.verbs4j.abi.uapi.RdmaDriver;
import io.verbs4j.abi.uapi.UverbsObject;
import io.verbs4j.types.Access;
import io.verbs4j.types.AsyncEventType;
import io.verbs4j.types.CompletionOpcode;
import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.Gid;
import io.verbs4j.types.GidType;
import io.verbs4j.types.LinkLayer;
import io.verbs4j.types.Mtu;
import io.verbs4j.types.PhysicalState;
import io.verbs4j.types.PortState;
import io.verbs4j.types.QueuePairAttribute;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.WorkRequestOpcode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/// Names numbers in structs. The uverbs headers use the same field name for the same meaning everywhere, so the name
/// determines the interpretation.
final class FieldText {
    private static final Set<String> HEXADECIMAL = Set.of(
            "response",
            "start",
            "hca_va",
            "addr",
            "remote_addr",
            "iova",
            "mmap_info_addr",
            "offset",
            "user_handle",
            "element",
            "lkey",
            "rkey",
            "mr_lkey",
            "mw_rkey",
            "invalidate_rkey",
            "imm_data",
            "qkey",
            "remote_qkey",
            "node_guid",
            "sys_image_guid",
            "fw_ver",
            "max_mr_size",
            "page_size_cap",
            "device_cap_flags",
            "device_cap_flags_ex",
            "port_cap_flags",
            "port_cap_flags2",
            "vendor_id",
            "core_support");
    private static final Set<String> QUEUE_PAIR_NUMBERS =
            Set.of("qpn", "qp_num", "dest_qp_num", "src_qp", "remote_qpn");
    private static final Set<String> SEQUENCE_NUMBERS =
            Set.of("rq_psn", "sq_psn", "first_psn", "last_psn");

    private final ObjectNames names;
    private final boolean answers;

    FieldText(ObjectNames names) {
        this(names, false);
    }

    private FieldText(ObjectNames names, boolean answers) {
        this.names = names;
        this.answers = answers;
    }

    /// Returns the texts for answers, whose handles may belong to objects that are not in the trace yet.
    FieldText ofAnswers() {
        return new FieldText(names, true);
    }

    /// Returns the text of a number in a struct.
    ///
    /// @param path the field's path in the struct
    String number(CStruct struct, String path, long value, int size) {
        String name = path.substring(path.lastIndexOf('.') + 1);
        return switch (struct.name()) {
            case "ib_uverbs_wc" -> completion(name, value, size);
            case "rxe_send_wqe" -> workRequest(path, name, value, size);
            case "ib_uverbs_comp_event_desc" -> hexadecimal(value, size);
            case "ib_uverbs_attr" -> attribute(name, value, size);
            case "ib_uverbs_ioctl_hdr", "ib_uverbs_cmd_hdr" -> head(name, value, size);
            default ->
                struct.name().startsWith("rdma_ucm_")
                        ? CmFieldText.number(name, value).orElseGet(() -> number(name, value, size))
                        : number(name, value, size);
        };
    }

    private String completion(String name, long value, int size) {
        return switch (name) {
            case "status" -> CompletionStatus.of((int) value) + " (" + value + ")";
            case "opcode" -> new CompletionOpcode((int) value) + " (" + value + ")";
            case "wc_flags" -> bits(value, List.of("GRH", "WITH_IMMEDIATE", "WITH_INVALIDATE"));
            default -> number(name, value, size);
        };
    }

    private String workRequest(String path, String name, long value, int size) {
        return switch (path) {
            case "wr.opcode" -> WorkRequestOpcode.name((int) value) + " (" + value + ")";
            case "wr.send_flags" -> bits(value, List.of("FENCE", "SIGNALED", "SOLICITED", "INLINE", "IP_CHECKSUM"));
            case "status" -> CompletionStatus.of((int) value) + " (" + value + ")";
            case "state" ->
                switch ((int) value) {
                    case 0 -> "posted (0)";
                    case 1 -> "processing (1)";
                    case 2 -> "pending (2)";
                    case 3 -> "done (3)";
                    case 4 -> "error (4)";
                    default -> Long.toString(value);
                };
            default -> number(name, value, size);
        };
    }

    private static String attribute(String name, long value, int size) {
        return switch (name) {
            case "attr_id" -> "0x" + Long.toHexString(value);
            case "flags" -> {
                var set = new ArrayList<String>();
                if ((value & IbUverbsAttr.MANDATORY) != 0) {
                    set.add("MANDATORY");
                }
                if ((value & IbUverbsAttr.VALID_OUTPUT) != 0) {
                    set.add("VALID_OUTPUT");
                }
                yield set.isEmpty() ? "0" : String.join("|", set);
            }
            case "data" -> hexadecimal(value, size);
            default -> Long.toString(value);
        };
    }

    private static String head(String name, long value, int size) {
        return switch (name) {
            case "object_id" -> UverbsObject.of((int) value).map(UverbsObject::cName).orElse("?") + " (" + value + ")";
            case "driver_id" -> "RDMA_DRIVER_" + RdmaDriver.name((int) value) + " (" + value + ")";
            case "command" ->
                CommandCatalogue.write((int) value).map(IbUserVerbsCmd::cName).orElse("?") + " ("
                        + hexadecimal(value, size)
                        + ")";
            default -> Long.toString(value);
        };
    }

    /// Returns the text of a number by the name of its field. The name of an ioctl argument is in lower case.
    String number(String name, long value, int size) {
        UverbsObject kind = ObjectNames.kindOf(name);
        if (kind != null) {
            return answers && names.find(kind, (int) value) == null
                    ? Long.toString(value)
                    : names.name(kind, (int) value);
        }
        if (HEXADECIMAL.contains(name)) {
            return hexadecimal(value, size);
        }
        if (QUEUE_PAIR_NUMBERS.contains(name) || SEQUENCE_NUMBERS.contains(name)) {
            return String.format(Locale.ROOT, "0x%06x", value);
        }
        int code = (int) value;
        return switch (name) {
            case "access_flags", "qp_access_flags", "access" -> access(code);
            case "attr_mask", "qp_attr_mask" -> join(QueuePairAttribute.of(code), value);
            case "qp_state", "cur_qp_state" ->
                code >= 0 && code < 7 ? QueuePairState.of(code).name() : Long.toString(value);
            case "path_mtu", "max_mtu", "active_mtu" ->
                code >= 1 && code <= 5 ? Mtu.of(code).bytes() + " bytes (" + code + ")" : Long.toString(value);
            case "qp_type" ->
                Arrays.stream(QueuePairType.values())
                        .filter(type -> type.value() == code)
                        .map(type -> type.name() + " (" + code + ")")
                        .findFirst()
                        .orElse(Long.toString(value));
            case "event_type" -> new AsyncEventType(code) + " (" + code + ")";
            case "state" -> new PortState(code) + " (" + code + ")";
            case "phys_state" -> new PhysicalState(code) + " (" + code + ")";
            case "link_layer" -> new LinkLayer(code) + " (" + code + ")";
            case "gid_type" -> new GidType(code) + " (" + code + ")";
            case "comp_channel", "async_fd", "fd", "event_fd", "fd_handle" -> names.file(code);
            default -> value < 0 ? Long.toUnsignedString(value) : Long.toString(value);
        };
    }

    private static String access(int flags) {
        return join(Access.of(flags), Integer.toUnsignedLong(flags));
    }

    private static String join(Set<? extends Enum<?>> set, long value) {
        return value == 0
                ? "0"
                : set.stream().map(Enum::name).collect(Collectors.joining("|")) + " (0x" + Long.toHexString(value)
                        + ")";
    }

    private static String bits(long value, List<String> names) {
        var set = new ArrayList<String>();
        for (int i = 0; i < names.size(); i++) {
            if ((value & 1L << i) != 0) {
                set.add(names.get(i));
            }
        }
        return set.isEmpty() ? Long.toString(value) : String.join("|", set) + " (0x" + Long.toHexString(value) + ")";
    }

    static String hexadecimal(long value, int size) {
        return "0x" + (size < Long.BYTES ? Integer.toHexString((int) value) : Long.toHexString(value));
    }

    /// Returns the text of an array: GIDs and IP addresses in their notation, others in hexadecimal.
    static String array(String name, byte[] bytes, int offset, int size) {
        if (size == 16 && name.endsWith("gid")) {
            Gid gid = Gid.of(Arrays.copyOfRange(bytes, offset, offset + size));
            return gid.toString();
        }
        if (name.endsWith("addr")) {
            String address = CmFieldText.address(bytes, offset, size);
            if (!address.isEmpty()) {
                return address;
            }
        }
        return HexFormat.of().formatHex(bytes, offset, offset + size);
    }
}
