// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

/// The two completion queues of an end: sends and receives complete apart, so that the order of each is certain.
enum Queue {
    SENDS,
    RECEIVES;

    /// As it stands in texts and in programs.
    String text() {
        return this == SENDS ? "sends" : "receives";
    }
}
