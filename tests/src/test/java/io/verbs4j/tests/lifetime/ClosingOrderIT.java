// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.lifetime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.CompletionQueueOptions;
import io.verbs4j.Context;
import io.verbs4j.MemoryWindow;
import io.verbs4j.VerbsObject;
import io.verbs4j.tests.support.AnyDevice;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.LeakCheck;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.tests.support.Wire;
import io.verbs4j.types.Access;
import io.verbs4j.types.AddressVector;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Closing a context closes all that was made from it, in the order that the kernel needs.
@AnyDevice
@DeviceTest
@Needs.EachKernel
class ClosingOrderIT {
    @Test
    @Covers({
            "ibv_close_device", "ibv_destroy_qp", "ibv_destroy_cq", "ibv_destroy_srq", "ibv_destroy_ah",
            "ibv_dereg_mr", "ibv_dealloc_mw", "ibv_dealloc_pd", "ibv_destroy_comp_channel"
    })
    void closesOneObjectOfEveryKind() {
        Context context = Wire.open();
        List<VerbsObject> objects = oneOfEachKind(context);
        assertThat(LeakCheck.kernelObjects()).as("the kernel lists them now").hasSizeGreaterThanOrEqualTo(5);

        context.close();

        assertThat(objects).allMatch(VerbsObject::isClosed);
        assertThat(LeakCheck.kernelObjects()).isEmpty();
    }

    @Test
    void refusesAParentThatIsStillUsed() {
        try (Context context = Wire.open()) {
            List<VerbsObject> objects = oneOfEachKind(context);
            // Whatever something else depends on cannot go first.
            for (VerbsObject parent : objects.subList(0, 4)) {
                assertThatThrownBy(parent::close)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageStartingWith(parent + " is still used by ");
                assertThat(parent.isClosed()).isFalse();
            }
            // From the last one backwards, everything goes.
            objects.reversed().forEach(VerbsObject::close);
            assertThat(objects).allMatch(VerbsObject::isClosed);
        }
    }

    @Test
    void namesOnlyTheFirstFewOfManyUsers() {
        try (Context context = Wire.open()) {
            var domain = context.allocateProtectionDomain();
            for (int i = 0; i < 10; i++) {
                domain.allocate(64);
            }
            assertThatThrownBy(domain::close)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageEndingWith(", and 2 more");
        }
    }

    @Test
    void opensAndClosesManyTimes() {
        for (int i = 0; i < 20; i++) {
            try (Context context = Wire.open()) {
                oneOfEachKind(context);
            }
        }
    }

    private static List<VerbsObject> oneOfEachKind(Context context) {
        var domain = context.allocateProtectionDomain();
        var channel = context.createCompletionChannel();
        var queue = context.createCompletionQueue(
                CompletionQueueOptions.entries(16).withChannel(channel));
        var receives = domain.createSharedReceiveQueue(16, 1);
        var queuePair = domain.reliableConnection(queue).sharedReceiveQueue(receives).create();
        var region = domain.allocate(64, Access.LOCAL_WRITE);
        if (Wire.isSiw()) { // which has neither windows nor datagrams
            return List.of(domain, channel, queue, receives, queuePair, region);
        }
        var window = domain.allocateMemoryWindow(MemoryWindow.Type.TYPE_1);
        var handle = domain.createAddressHandle(
                AddressVector.roce(1, Rxe.IPV4_INDEX, Rxe.gid(1)));
        return List.of(domain, channel, queue, receives, queuePair, region, window, handle);
    }
}
