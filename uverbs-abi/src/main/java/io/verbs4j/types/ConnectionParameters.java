// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

/// The parameters that two ends of a connection agree on (`struct rdma_conn_param`). The parameters in an event are
/// those that the receiving program must use: the kernel has already swapped `responderResources` and `initiatorDepth`.
///
/// @param queuePairNumber number of the queue pair, 24 bits; 0 in events of connections
/// @param privateData data of the application
/// @param responderResources outstanding reads and atomics of the peer that this end accepts, 0 to 255
/// @param initiatorDepth outstanding reads and atomics of this end, 0 to 255
/// @param flowControl whether the queue pair has end-to-end flow control, as reliable connections have
/// @param retryCount retries after timeouts, 0 to 7; 7 means indefinitely on rxe, contrary to the specification
/// @param rnrRetry retries when the peer has no receive posted, 0 to 7; 7 means indefinitely
/// @param sharedReceiveQueue whether the queue pair has a shared receive queue
/// @see <a href="https://man7.org/linux/man-pages/man3/rdma_connect.3.html">rdma_connect(3)</a>
public record ConnectionParameters(
        int queuePairNumber,
        PrivateData privateData,
        int responderResources,
        int initiatorDepth,
        boolean flowControl,
        int retryCount,
        int rnrRetry,
        boolean sharedReceiveQueue) {
    /// The default: one outstanding read or atomic in each direction, 6 retries after timeouts, unlimited retries for a
    /// missing receive.
    public static final ConnectionParameters DEFAULT =
            new ConnectionParameters(0, PrivateData.NONE, 1, 1, true, 6, 7, false);

    /// Checks the ranges.
    ///
    /// @throws IllegalArgumentException if a value is out of its range
    public ConnectionParameters {
        Ranges.check("queuePairNumber", queuePairNumber, 0, 0xffffff);
        Ranges.check("responderResources", responderResources, 0, 255);
        Ranges.check("initiatorDepth", initiatorDepth, 0, 255);
        Ranges.check("retryCount", retryCount, 0, 7);
        Ranges.check("rnrRetry", rnrRetry, 0, 7);
    }

    /// Sets the queue pair number.
    public ConnectionParameters withQueuePairNumber(int number) {
        return new ConnectionParameters(
                number, privateData, responderResources, initiatorDepth, flowControl, retryCount, rnrRetry,
                sharedReceiveQueue);
    }

    /// Sets the private data.
    public ConnectionParameters withPrivateData(PrivateData data) {
        return new ConnectionParameters(
                queuePairNumber, data, responderResources, initiatorDepth, flowControl, retryCount, rnrRetry,
                sharedReceiveQueue);
    }

    /// Sets the numbers of outstanding reads and atomics, 0 to 255 each.
    ///
    /// @param incoming `responderResources`
    /// @param outgoing `initiatorDepth`
    public ConnectionParameters withReadAtomic(int incoming, int outgoing) {
        return new ConnectionParameters(
                queuePairNumber, privateData, incoming, outgoing, flowControl, retryCount, rnrRetry,
                sharedReceiveQueue);
    }

    /// Sets the numbers of retries, 0 to 7 each. 7 means indefinitely, but for retries after timeouts only on rxe.
    ///
    /// @param afterTimeouts `retryCount`
    /// @param afterReceiverNotReady `rnrRetry`
    public ConnectionParameters withRetries(int afterTimeouts, int afterReceiverNotReady) {
        return new ConnectionParameters(
                queuePairNumber, privateData, responderResources, initiatorDepth, flowControl, afterTimeouts,
                afterReceiverNotReady, sharedReceiveQueue);
    }

    /// Sets whether the queue pair uses a shared receive queue.
    public ConnectionParameters withSharedReceiveQueue(boolean shared) {
        return new ConnectionParameters(
                queuePairNumber, privateData, responderResources, initiatorDepth, flowControl, retryCount, rnrRetry,
                shared);
    }
}
