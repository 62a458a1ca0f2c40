// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.disni;

import java.io.IOException;

/// The methods that are the same in the `NativeDispatcher`s of DiSNI 1.7 to 2.1.
///
/// The names and parameters are DiSNI's. Handles and addresses are numbers.
@SuppressWarnings("MethodName") // DiSNI's names
public abstract class Dispatcher {
    /// Executes the calls.
    protected final Calls calls = new Calls();

    /// Creates a dispatcher without any objects.
    protected Dispatcher() {}

    public long _createEventChannel() throws IOException {
        return calls.connections().createChannel();
    }

    public long _createId(long channel, short portSpace) throws IOException {
        return calls.connections().createIdentifier(channel);
    }

    public long _createQP(long id, long pd, long sendCq, long receiveCq, int type, int maxSends, int maxReceives,
            int maxInline) throws IOException {
        return calls.connections()
                .createQueuePair(
                        id, pd, sendCq, receiveCq, type, maxSends, maxReceives, maxInline);
    }

    public int _getCmEvent(long channel, long listener, long client, int timeout) throws IOException {
        return calls.connections().awaitEvent(channel, listener, client, timeout);
    }

    public int _ackCmEvent(int event) {
        return 0; // taking an event acknowledges it
    }

    public int _disconnect(long id) throws IOException {
        return calls.connections().disconnect(id);
    }

    public int _destroyEventChannel(long channel) {
        return calls.connections().destroyChannel(channel);
    }

    public int _destroyCmId(long id) {
        return calls.connections().destroyIdentifier(id);
    }

    public int _destroyQP(long id) {
        return calls.connections().destroyQueuePair(id);
    }

    public int _getSrcAddr(long id, long address) throws IOException {
        return calls.connections().localAddress(id, address);
    }

    public int _getDstAddr(long id, long address) throws IOException {
        return calls.connections().peerAddress(id, address);
    }

    public int _destroyEp(long id) {
        return calls.connections().destroyEndpoint(id);
    }

    public long _allocPd(long context) throws IOException {
        return calls.objects().allocateDomain(context);
    }

    public long _createCompChannel(long context) throws IOException {
        return calls.objects().createChannel(context);
    }

    public long _createCQ(long context, long channel, int entries, int vector) throws IOException {
        return calls.objects().createQueue(context, channel, entries, vector);
    }

    public int _modifyQP(long qp, long attributes) throws IOException {
        throw new IOException("DiSNI passes no attributes, so there is nothing to modify");
    }

    public long _regMr(long pd, long address, int length, int access, long lkey, long rkey, long number)
            throws IOException {
        return calls.objects().register(pd, address, length, access, lkey, rkey, number);
    }

    public int _queryOdpSupport(long context) {
        return -1; // like a libdisni without Mellanox' experimental verbs
    }

    public int _expPrefetchMr(long region, long address, int length) {
        return -1; // likewise
    }

    public int _getCqEvent(long channel, int timeout) throws IOException {
        return calls.objects().awaitEvent(channel, timeout);
    }

    public int _pollCQ(long cq, int max, long target) throws IOException {
        return calls.work().poll(cq, max, target);
    }

    public int _reqNotifyCQ(long cq, int solicitedOnly) throws IOException {
        return calls.objects().requestNotification(cq, solicitedOnly);
    }

    public int _ackCqEvent(long cq, int count) {
        return 0; // taking an event acknowledges it
    }

    public int _destroyCompChannel(long channel) {
        return calls.objects().destroyChannel(channel);
    }

    public int _deallocPd(long pd) {
        return calls.objects().deallocateDomain(pd);
    }

    public int _destroyCQ(long cq) {
        return calls.objects().destroyQueue(cq);
    }

    public long _getContext(long id) throws IOException {
        return calls.connections().context(id);
    }

    public int _getQpNum(long qp) throws IOException {
        return calls.objects().queuePairNumber(qp);
    }

    public int _getContextFd(long context) throws IOException {
        return calls.objects().contextNumber(context);
    }

    public int _getContextNumCompVectors(long context) throws IOException {
        return calls.objects().completionVectors(context);
    }

    public int _getPdHandle(long pd) throws IOException {
        return calls.objects().domainNumber(pd);
    }

    public int _getSockAddrInSize() {
        return Structs.SOCKADDR_BYTES;
    }

    public int _getIbvRecvWRSize() {
        return Structs.RECEIVE_WR_BYTES;
    }

    public int _getIbvSendWRSize() {
        return Structs.SEND_WR_BYTES;
    }

    public int _getIbvSgeSize() {
        return Structs.SGE_BYTES;
    }

    public int _getIbvWCSize() {
        return Structs.WC_BYTES;
    }

    public int _getRemoteAddressOffset() {
        return Structs.REMOTE_ADDRESS;
    }

    public int _getRKeyOffset() {
        return Structs.REMOTE_KEY;
    }

    public int _getVersion() {
        return Calls.VERSION;
    }
}
