// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Context;
import io.verbs4j.InjectedDevices;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.rxe.FakeDevice;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Connections that join and leave a protection domain.
class SharedDomainTest {
    private final FakeDevice device = new FakeDevice();
    private final Context context = InjectedDevices.open(device);
    private final ProtectionDomain domain = context.allocateProtectionDomain();
    private final SharedDomain shared = SharedDomain.of(domain, context.device());

    @AfterEach
    void close() {
        context.close();
        device.free();
    }

    @Test
    void canBeJoinedUntilTheLastHasLeft() {
        assertThat(shared.join()).isTrue();
        shared.leave();
        assertThat(shared.join()).isTrue();
        shared.leave();
        shared.leave();
        assertThat(shared.join()).isFalse();
    }

    @Test
    void ofTheCallerRemainsTheCallers() {
        assertThat(shared.domain()).isSameAs(domain);
        shared.leave();
        assertThat(domain.isClosed()).isFalse();
        assertThat(context.isClosed()).isFalse();
    }
}
