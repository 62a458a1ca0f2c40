// SPDX-License-Identifier: Apache-2.0
package com.ibm.disni.rdma.verbs.impl;

import io.verbs4j.disni.Dispatcher;
import java.io.IOException;

/// Replaces the class of the same name in DiSNI 1.7, whose methods are native. Some methods return 0, unlike those of
/// DiSNI 2.0, which return nothing.
///
/// The names and parameters are DiSNI's. Handles and addresses are numbers.
@SuppressWarnings("MethodName") // DiSNI's names
public class NativeDispatcher extends Dispatcher {
    NativeDispatcher() {}

    public int _bindAddr(long id, long address) throws IOException {
        calls.connections().bind(id, address);
        return 0;
    }

    public int _listen(long id, int backlog) throws IOException {
        calls.connections().listen(id, backlog);
        return 0;
    }

    public int _resolveAddr(long id, long source, long destination, int timeout) throws IOException {
        calls.connections().resolveAddress(id, destination, timeout);
        return 0;
    }

    public int _resolveRoute(long id, int timeout) throws IOException {
        calls.connections().resolveRoute(id, timeout);
        return 0;
    }

    public int _connect(long id, int retries, int rnrRetries, long data, byte dataLength) throws IOException {
        calls.connections().connect(id, retries, rnrRetries, data, Byte.toUnsignedInt(dataLength));
        return 0;
    }

    public int _accept(long id, int retries, int rnrRetries) throws IOException {
        calls.connections().accept(id, retries, rnrRetries);
        return 0;
    }

    public int _deregMr(long region) throws IOException {
        calls.objects().deregister(region);
        return 0;
    }

    public int _postSend(long qp, long list) throws IOException {
        calls.work().postSend(qp, list);
        return 0;
    }

    public int _postRecv(long qp, long list) throws IOException {
        calls.work().postReceive(qp, list);
        return 0;
    }
}
