// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

/// State and limits of one port (`struct ibv_port_attr`, man ibv_query_port(3)).
///
/// @param port port number, from 1
/// @param state logical state
/// @param physicalState physical state
/// @param maxMtu the largest MTU that the port supports
/// @param activeMtu the largest MTU that can be used now; on rxe, it follows the network interface's MTU
/// @param maxMessageSize longest message in bytes
/// @param gidTableLength entries of the GID table, including empty entries
/// @param pkeyTableLength entries of the P_Key table
/// @param capabilityFlags `IBV_PORT_*_SUP` bits
/// @param capabilityFlags2 `IBV_PORT_*` bits of the second set of capabilities
/// @param badPkeyCounter number of packets that were dropped because of a wrong P_Key
/// @param qkeyViolationCounter number of packets that were dropped because of a wrong Q_Key
/// @param lid the port's LID (local identifier), 0 on RoCE
/// @param subnetManagerLid the subnet manager's LID, 0 on RoCE
/// @param lidMaskControl number of low bits of the LID that address different paths to the port
/// @param maxVirtualLanes code for the number of virtual lanes
/// @param subnetManagerServiceLevel service level of the subnet manager
/// @param subnetTimeout exponent n of the longest delay through the subnet, 4.096 µs × 2^n
/// @param initTypeReply reply of the subnet manager
/// @param activeWidth code of the link width: 1, 2, 4, 8, 16 for 1x, 4x, 8x, 12x, 2x
/// @param activeSpeed code of the link speed: one bit, `IB_SPEED_*`
/// @param linkLayer link layer of the packets
/// @param flags `IBV_QPF_*`; bit 0 is set if packets need a global route header, as on RoCE
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
