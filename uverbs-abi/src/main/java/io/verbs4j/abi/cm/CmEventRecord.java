// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.cm;

import io.verbs4j.abi.uapi.CView;
import io.verbs4j.abi.uapi.RdmaUcmConnParam;
import io.verbs4j.abi.uapi.RdmaUcmUdParam;
import io.verbs4j.types.ConnectionParameters;
import io.verbs4j.types.DatagramPath;
import io.verbs4j.types.PrivateData;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/// An event as the kernel reports it. The identifier's port space determines which of the two kinds of parameters is
/// valid.
///
/// @param uid the user's number of the identifier, or of the membership
/// @param id number of the identifier; for a connect request, of the new one
/// @param code a number of [CmEventCode]
/// @param status 0, a negated error number, or the reason of a rejection
/// @param connection parameters of a connection
/// @param datagram destination of datagrams; null if the event has no path
/// @param datagramData private data of a datagram lookup, or of its response
/// @param argument the argument of an event that a program wrote
public record CmEventRecord(
        long uid,
        int id,
        int code,
        int status,
        ConnectionParameters connection,
        @Nullable DatagramPath datagram,
        PrivateData datagramData,
        long argument) {
    static CmEventRecord read(CView event) {
        var parameters = event.slice("param");
        return new CmEventRecord(
                event.get("uid"),
                event.getInt("id"),
                event.getInt("event"),
                event.getInt("status"),
                RdmaUcmConnParam.read(parameters),
                RdmaUcmUdParam.read(parameters),
                RdmaUcmUdParam.privateData(parameters),
                parameters.get(ValueLayout.JAVA_LONG_UNALIGNED, 0));
    }
}
