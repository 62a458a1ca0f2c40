// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.devinfo;

import io.verbs4j.types.LinkLayer;
import io.verbs4j.types.NodeType;
import io.verbs4j.types.PhysicalState;
import io.verbs4j.types.PortState;

/// Codes of ports and devices in the words of `ibv_devinfo`.
final class CodeTexts {
    private CodeTexts() {}

    /// Returns the transport of a device, with its number in `enum ibv_transport_type`.
    static String transport(NodeType type) {
        if (type.equals(NodeType.CA) || type.equals(NodeType.SWITCH) || type.equals(NodeType.ROUTER)) {
            return "InfiniBand (0)";
        }
        if (type.equals(NodeType.RNIC)) {
            return "iWARP (1)";
        }
        if (type.equals(NodeType.USNIC)) {
            return "usNIC (2)";
        }
        if (type.equals(NodeType.USNIC_UDP)) {
            return "usNIC UDP (3)";
        }
        return type.equals(NodeType.UNSPECIFIED) ? "unspecified (4)" : "invalid transport (-1)";
    }

    static String portState(PortState state) {
        return state.value() >= PortState.DOWN.value() && state.value() <= PortState.ACTIVE.value()
                ? "PORT_" + state
                : "invalid state";
    }

    static String physicalState(PhysicalState state) {
        return switch (state.value()) {
            case 1 -> "SLEEP";
            case 2 -> "POLLING";
            case 3 -> "DISABLED";
            case 4 -> "PORT_CONFIGURATION TRAINNING";
            case 5 -> "LINK_UP";
            case 6 -> "LINK_ERROR_RECOVERY";
            case 7 -> "PHY TEST";
            default -> "invalid physical state";
        };
    }

    static String linkLayer(LinkLayer layer) {
        return switch (layer.value()) {
            case 0 -> "Unspecified";
            case 1 -> "InfiniBand";
            case 2 -> "Ethernet";
            default -> "Unknown";
        };
    }

    static String atomicCapability(int value) {
        return switch (value) {
            case 0 -> "ATOMIC_NONE";
            case 1 -> "ATOMIC_HCA";
            case 2 -> "ATOMIC_GLOB";
            default -> "invalid atomic capability";
        };
    }

    static String virtualLanes(int code) {
        return switch (code) {
            case 1 -> "1";
            case 2 -> "2";
            case 3 -> "4";
            case 4 -> "8";
            case 5 -> "15";
            default -> "invalid value";
        };
    }

    static String width(int code) {
        return switch (code) {
            case 1 -> "1";
            case 2 -> "4";
            case 4 -> "8";
            case 8 -> "12";
            case 16 -> "2";
            default -> "invalid width";
        };
    }

    static String speed(int code) {
        return switch (code) {
            case 1 -> "2.5 Gbps";
            case 2 -> "5.0 Gbps";
            case 4, 8 -> "10.0 Gbps";
            case 16 -> "14.0 Gbps";
            case 32 -> "25.0 Gbps";
            case 64 -> "50.0 Gbps";
            case 128 -> "100.0 Gbps";
            case 256 -> "200.0 Gbps";
            default -> "invalid speed";
        };
    }

    /// Formats a GUID as four groups of four digits.
    static String guid(long guid) {
        return String.format(
                "%04x:%04x:%04x:%04x", guid >>> 48, guid >>> 32 & 0xffff, guid >>> 16 & 0xffff, guid & 0xffff);
    }

    /// Formats a firmware version like rdma-core's rxe provider (`rxe_query_device`).
    static String firmware(long version) {
        return (version >>> 32 & 0xffff) + "." + (version >>> 16 & 0xffff) + "." + (version & 0xffff);
    }
}
