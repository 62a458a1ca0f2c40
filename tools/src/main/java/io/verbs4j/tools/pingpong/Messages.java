// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

/// How a transport posts the messages of a ping-pong.
interface Messages {
    /// Work request id of a receive, as in C.
    int RECEIVE_ID = 1;

    /// Work request id of a send, as in C.
    int SEND_ID = 2;

    /// Posts one send.
    ///
    /// @return false if the queue is full
    boolean send();

    /// Posts receives.
    ///
    /// @return how many found room
    int receive(int count);
}
