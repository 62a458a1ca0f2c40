// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.cm;

import io.verbs4j.abi.uapi.CView;
import io.verbs4j.simulator.kernel.Refusal;
import io.verbs4j.types.Errno;
import io.verbs4j.types.PrivateData;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// The parameters of one end of a connection, as it sends them.
///
/// @param queuePair number of the queue pair
/// @param psn the first packet sequence number of the peer
/// @param responderResources maximum number of concurrent reads and atomics that this end accepts
/// @param initiatorDepth maximum number of outstanding reads and atomics of this end
/// @param data private data of the program
record Terms(
        int queuePair,
        int psn,
        int responderResources,
        int initiatorDepth,
        int flowControl,
        int retries,
        int rnrRetries,
        int sharedReceives,
        PrivateData data) {
    private static final int NUMBER_MASK = 0xff_ffff;

    /// Reads a `struct rdma_ucm_conn_param`.
    static Terms of(CView parameters, int psn) {
        return new Terms(
                parameters.getInt("qp_num") & NUMBER_MASK,
                psn,
                parameters.getInt("responder_resources"),
                parameters.getInt("initiator_depth"),
                parameters.getInt("flow_control"),
                Math.min(parameters.getInt("retry_count"), 7),
                Math.min(parameters.getInt("rnr_retry_count"), 7),
                parameters.getInt("srq"),
                PrivateData.of(parameters.slice("private_data")
                        .asSlice(0, parameters.getInt("private_data_len"))
                        .toArray(ValueLayout.JAVA_BYTE)));
    }

    /// Returns private data as it is sent: padded with zeros to the message's size.
    ///
    /// @throws Refusal if the data is longer
    static byte[] padded(byte[] data, int room) {
        Refusal.unless(data.length <= room, Errno.EINVAL);
        return Arrays.copyOf(data, room);
    }

    /// Writes the terms from the receiver's point of view into a `struct rdma_ucm_conn_param`: the limits of incoming
    /// and outgoing operations are swapped.
    void describeTo(CView parameters, byte[] travelled) {
        parameters.set("responder_resources", initiatorDepth)
                .set("initiator_depth", responderResources)
                .set("flow_control", flowControl)
                .set("retry_count", retries)
                .set("rnr_retry_count", rnrRetries)
                .set("srq", sharedReceives);
        writeData(parameters, travelled);
    }

    /// Writes private data into a struct with enough room.
    static void writeData(CView struct, byte[] data) {
        struct.slice("private_data").asSlice(0, data.length).copyFrom(MemorySegment.ofArray(data));
        struct.set("private_data_len", data.length);
    }
}
