// SPDX-License-Identifier: Apache-2.0
package com.ibm.disni.verbs.impl;

import io.verbs4j.disni.Dispatcher;
import java.io.IOException;

/// Replaces the class of the same name in DiSNI 2.0 and 2.1, whose methods are native.
///
/// The names and parameters are DiSNI's. Handles and addresses are numbers.
@SuppressWarnings("MethodName") // DiSNI's names
public class NativeDispatcher extends Dispatcher {
    NativeDispatcher() {}

    public void _bindAddr(long id, long address) throws IOException {
        calls.connections().bind(id, address);
    }

    public void _listen(long id, int backlog) throws IOException {
        calls.connections().listen(id, backlog);
    }

    public void _resolveAddr(long id, long source, long destination, int timeout) throws IOException {
        calls.connections().resolveAddress(id, destination, timeout);
    }

    public void _resolveRoute(long id, int timeout) throws IOException {
        calls.connections().resolveRoute(id, timeout);
    }

    public void _connect(long id, int retries, int rnrRetries, long data, byte dataLength) throws IOException {
        calls.connections().connect(id, retries, rnrRetries, data, Byte.toUnsignedInt(dataLength));
    }

    public void _accept(long id, int retries, int rnrRetries) throws IOException {
        calls.connections().accept(id, retries, rnrRetries);
    }

    public void _deregMr(long region) throws IOException {
        calls.objects().deregister(region);
    }

    public void _postSend(long qp, long list) throws IOException {
        calls.work().postSend(qp, list);
    }

    public void _postRecv(long qp, long list) throws IOException {
        calls.work().postReceive(qp, list);
    }
}
