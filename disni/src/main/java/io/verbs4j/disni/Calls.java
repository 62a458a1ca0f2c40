// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.disni;

/// All calls of one `NativeDispatcher`, whose methods have the same parameters and results as DiSNI's C functions.
/// Handles and addresses are numbers. Thread-safe as far as the objects are.
public final class Calls {
    /// The version of the interface to native code, which DiSNI checks.
    public static final int VERSION = 32;
    /// Size of a `sockaddr_in` as DiSNI allocates it.
    public static final int SOCKADDR_BYTES = Structs.SOCKADDR_BYTES;
    /// Size of an `ibv_recv_wr`.
    public static final int RECEIVE_WR_BYTES = Structs.RECEIVE_WR_BYTES;
    /// Size of an `ibv_send_wr`.
    public static final int SEND_WR_BYTES = Structs.SEND_WR_BYTES;
    /// Size of an `ibv_sge`.
    public static final int SGE_BYTES = Structs.SGE_BYTES;
    /// Size of an `ibv_wc`.
    public static final int WC_BYTES = Structs.WC_BYTES;
    /// Where the remote address is in an `ibv_send_wr`.
    public static final int REMOTE_ADDRESS_OFFSET = Structs.REMOTE_ADDRESS;
    /// Where the remote key is in an `ibv_send_wr`.
    public static final int REMOTE_KEY_OFFSET = Structs.REMOTE_KEY;

    private final Handles handles = new Handles();
    private final ConnectionCalls connections;
    private final ObjectCalls objects;
    private final WorkCalls work;

    /// Makes calls without any object.
    public Calls() {
        objects = new ObjectCalls(handles);
        connections = new ConnectionCalls(handles, objects);
        work = new WorkCalls(handles);
    }

    Handles handles() {
        return handles;
    }

    /// Returns the calls of the connection manager.
    public ConnectionCalls connections() {
        return connections;
    }

    /// Returns the calls that create and destroy objects of verbs.
    public ObjectCalls objects() {
        return objects;
    }

    /// Returns the calls of the data path.
    public WorkCalls work() {
        return work;
    }
}
