// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.cm;

import io.verbs4j.abi.cm.CmEventCode;
import io.verbs4j.abi.cm.GetEvent;
import io.verbs4j.abi.uapi.CView;
import io.verbs4j.abi.uapi.IbUverbsAhAttr;
import io.verbs4j.abi.uapi.RdmaUcmConnParam;
import io.verbs4j.abi.uapi.RdmaUcmUdParam;
import io.verbs4j.types.AddressVector;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.function.Consumer;

/// Encodes events as `struct rdma_ucm_event_resp`.
final class CmEvents {
    private CmEvents() {}

    /// Returns an event without parameters.
    static byte[] plain(long uid, int id, CmEventCode code, int status) {
        return record(uid, id, code, status, parameters -> {});
    }

    /// Returns an event of a connection.
    static byte[] connection(long uid, int id, CmEventCode code, int status, Consumer<CView> parameters) {
        return record(
                uid,
                id,
                code,
                status,
                event -> parameters.accept(RdmaUcmConnParam.STRUCT.view(event.slice("param"))));
    }

    /// Returns an event of a connection that only has private data.
    static byte[] data(long uid, int id, CmEventCode code, int status, byte[] data) {
        return connection(uid, id, code, status, parameters -> Terms.writeData(parameters, data));
    }

    /// Returns an event with private data of datagrams.
    static byte[] datagramData(long uid, int id, CmEventCode code, byte[] data) {
        return record(
                uid, id, code, 0, event -> Terms.writeData(RdmaUcmUdParam.STRUCT.view(event.slice("param")), data));
    }

    /// Returns an event with a datagram destination.
    static byte[] datagrams(
            long uid, int id, CmEventCode code, int queuePair, int qkey, AddressVector path, byte[] data) {
        return record(uid, id, code, 0, event -> {
            CView parameters = RdmaUcmUdParam.STRUCT
                    .view(event.slice("param"))
                    .set("qp_num", queuePair)
                    .set("qkey", qkey);
            IbUverbsAhAttr.write(parameters.slice("ah_attr"), path);
            Terms.writeData(parameters, data);
        });
    }

    /// Returns an event that a program wrote.
    static byte[] user(long uid, int id, CmEventCode code, int status, long argument) {
        return record(
                uid, id, code, status, event -> event.slice("param").set(ValueLayout.JAVA_LONG_UNALIGNED, 0, argument));
    }

    private static byte[] record(long uid, int id, CmEventCode code, int status, Consumer<CView> parameters) {
        try (Arena arena = Arena.ofConfined()) {
            CView event = GetEvent.RESPONSE
                    .view(arena.allocate(GetEvent.RESPONSE.size(), Long.BYTES))
                    .set("uid", uid)
                    .set("id", id)
                    .set("event", code.number())
                    .set("status", status);
            parameters.accept(event);
            return event.memory().toArray(ValueLayout.JAVA_BYTE);
        }
    }
}
