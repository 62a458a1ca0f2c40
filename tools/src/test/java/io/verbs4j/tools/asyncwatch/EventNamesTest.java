// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.asyncwatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.types.AsyncEventType;
import org.junit.jupiter.api.Test;

class EventNamesTest {
    @Test
    void eventsOfPortsAndDevicesHaveTheirNamesInC() {
        assertThat(EventNames.inC(AsyncEventType.PORT_ERROR)).isEqualTo("IBV_EVENT_PORT_ERR");
        assertThat(EventNames.inC(AsyncEventType.GID_CHANGE)).isEqualTo("IBV_EVENT_GID_CHANGE");
        assertThat(EventNames.inC(AsyncEventType.DEVICE_FATAL)).isEqualTo("IBV_EVENT_DEVICE_FATAL");
    }

    @Test
    void othersAreUnexpected() {
        assertThat(EventNames.inC(AsyncEventType.CQ_ERROR)).isEqualTo("unexpected");
        assertThat(EventNames.inC(new AsyncEventType(99))).isEqualTo("unexpected");
    }
}
