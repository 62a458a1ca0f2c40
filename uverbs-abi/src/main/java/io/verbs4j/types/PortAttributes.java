// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

/// State and limits of one port (`struct ibv_port_attr`, man ibv_query_port(3)).
///
/// @param port port number, from 1
/// @param state logical state
/// @param physicalState physical state
/// @param maxMtu the largest MTU that the port supports
/// @param activeMtu the present maximum; on rxe it follows the network interface's MTU
/// @param maxMessageSize longest message in bytes (an unsigned 32-bit number of the kernel)
/// @param gidTableLength entries of the GID table, used or not
/// @param pkeyTableLength entries of the P_Key table
/// @param capabilityFlags `IBV_PORT_*_SUP` bits
/// @param capabilityFlags2 `IBV_PORT_*` bits of the second word
/// @param badPkeyCounter packets dropped for a wrong P_Key
/// @param qkeyViolationCounter packets dropped for a wrong Q_Key
/// @param lid local identifier, 0 on RoCE
/// @param subnetManagerLid the subnet manager's local identifier, 0 on RoCE
/// @param lidMaskControl number of low LID bits that vary
/// @param maxVirtualLanes virtual lanes code
/// @param subnetManagerServiceLevel service level of the subnet manager
/// @param subnetTimeout 4.096 µs × 2^n
/// @param initTypeReply reply of the subnet manager
/// @param activeWidth link width code: 1, 2, 4, 8, 16 for 1x, 4x, 8x, 12x, 2x
/// @param activeSpeed link speed code (`IB_SPEED_*`), a bit
/// @param linkLayer link layer of the packets
/// @param flags `IBV_QPF_*`: bit 0: a GRH is required, as on RoCE
public record PortAttributes(
        int port,
        PortState state,
        PhysicalState physicalState,
        Mtu maxMtu,
        Mtu activeMtu,
        long maxMessageSize,
        int gidTableLength,
        int pkeyTableLength,
        int capabilityFlags,
        int capabilityFlags2,
        int badPkeyCounter,
        int qkeyViolationCounter,
        int lid,
        int subnetManagerLid,
        int lidMaskControl,
        int maxVirtualLanes,
        int subnetManagerServiceLevel,
        int subnetTimeout,
        int initTypeReply,
        int activeWidth,
        int activeSpeed,
        LinkLayer linkLayer,
        int flags) {}
