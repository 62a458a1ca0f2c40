// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.disni;

/// All calls of one `NativeDispatcher`. The methods have the parameters and results of DiSNI's C functions. Handles and
/// addresses are numbers. Calls are as thread-safe as the objects behind the handles.
public final class Calls {
    /// The version of the interface to native code. DiSNI checks it.
    public static final int VERSION = 32;

    private final Handles handles = new Handles();
    private final ConnectionCalls connections;
    private final ObjectCalls objects;
    private final WorkCalls work;

    /// Creates calls without any objects.
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

    /// Returns the calls that create and destroy verbs objects.
    public ObjectCalls objects() {
        return objects;
    }

    /// Returns the calls of the data path.
    public WorkCalls work() {
        return work;
    }
}
