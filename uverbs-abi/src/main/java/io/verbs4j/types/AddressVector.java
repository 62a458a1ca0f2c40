// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

/// The path of packets of a connected queue pair or of an address handle (`struct ibv_ah_attr`, man ibv_create_ah(3);
/// IBA vol. 1, 11.2.2.1).
///
/// On RoCE, the GIDs are mandatory and the LID is unused.
///
/// @param destinationGid the peer's GID, of the same IP family as the local GID
/// @param sourceGidIndex index of the local GID in the port's GID table, 0 to 255
/// @param flowLabel 20 bits; on RoCE v2, a value other than 0 determines the UDP source port of a connection
///     ([UdpSourcePort])
/// @param hopLimit hop limit (IPv6) or time to live (IPv4), 0 to 255; rxe uses the route's value instead
/// @param trafficClass IPv6 traffic class or IPv4 type of service, 0 to 255
/// @param serviceLevel InfiniBand service level or Ethernet priority, 0 to 15
/// @param port local port, from 1
/// @param destinationLid the peer's local identifier (LID) on InfiniBand; 0 on RoCE
public record AddressVector(
        Gid destinationGid,
        int sourceGidIndex,
        int flowLabel,
        int hopLimit,
        int trafficClass,
        int serviceLevel,
        int port,
        int destinationLid) {
    /// Checks the ranges.
    ///
    /// @throws IllegalArgumentException if a value is out of its range
    public AddressVector {
        Ranges.check("sourceGidIndex", sourceGidIndex, 0, 255);
        Ranges.check("flowLabel", flowLabel, 0, 0xfffff);
        Ranges.check("hopLimit", hopLimit, 0, 255);
        Ranges.check("trafficClass", trafficClass, 0, 255);
        Ranges.check("serviceLevel", serviceLevel, 0, 15);
        Ranges.check("port", port, 1, 255);
        Ranges.check("destinationLid", destinationLid, 0, 0xffff);
    }

    /// Returns a RoCE path with default values: flow label 0, hop limit 64, traffic class 0, service level 0.
    ///
    /// @param port local port, from 1
    /// @param sourceGidIndex index of the local GID
    /// @param destinationGid the peer's GID
    public static AddressVector roce(int port, int sourceGidIndex, Gid destinationGid) {
        return new AddressVector(destinationGid, sourceGidIndex, 0, 64, 0, 0, port, 0);
    }

    /// Sets the destination.
    ///
    /// @param gid the peer's GID
    /// @param lid the peer's local identifier (LID) on InfiniBand; 0 on RoCE
    public AddressVector withDestination(Gid gid, int lid) {
        return new AddressVector(gid, sourceGidIndex, flowLabel, hopLimit, trafficClass, serviceLevel, port, lid);
    }

    /// Sets the flow label.
    public AddressVector withFlowLabel(int label) {
        return new AddressVector(
                destinationGid, sourceGidIndex, label, hopLimit, trafficClass, serviceLevel, port, destinationLid);
    }

    /// Sets the hop limit.
    public AddressVector withHopLimit(int hops) {
        return new AddressVector(
                destinationGid, sourceGidIndex, flowLabel, hops, trafficClass, serviceLevel, port, destinationLid);
    }

    /// Sets the traffic class.
    public AddressVector withTrafficClass(int value) {
        return new AddressVector(
                destinationGid, sourceGidIndex, flowLabel, hopLimit, value, serviceLevel, port, destinationLid);
    }

    /// Sets the service level.
    public AddressVector withServiceLevel(int level) {
        return new AddressVector(
                destinationGid, sourceGidIndex, flowLabel, hopLimit, trafficClass, level, port, destinationLid);
    }
}
