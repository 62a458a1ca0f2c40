// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi;

/// Hears what happens on the rings of one open device, from the thread that posts or polls, before its call returns.
@FunctionalInterface
public interface RingListener {
    /// Takes an event.
    void accept(RingEvent event);
}
