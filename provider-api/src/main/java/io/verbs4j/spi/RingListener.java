// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi;

/// Receives the ring events of one open device. The thread that posts or polls calls the listener, before its own call
/// returns.
@FunctionalInterface
public interface RingListener {
    /// Takes an event.
    void accept(RingEvent event);
}
