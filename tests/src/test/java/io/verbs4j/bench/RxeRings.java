// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.bench;

import static io.verbs4j.abi.os.RawMemory.ADDRESSES;
import static io.verbs4j.abi.os.RawMemory.ALL;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.verbs4j.Context;
import io.verbs4j.OpenFile;
import io.verbs4j.QueuePair;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import java.lang.invoke.VarHandle;

/// rxe's rings, with an index of the kernel's in each.
final class RxeRings implements PlayedRings {
    private static final VarHandle INDEX = JAVA_INT.varHandle().withInvokeExactBehavior();
    private static final int MASK = NullDevice.SLOTS - 1;

    private final NullDevice device = new NullDevice();

    @Override
    public Context open() {
        return OpenFile.asRxe(device);
    }

    @Override
    public void start(QueuePair queuePair) {
        queuePair.modify(QueuePairAttributes.builder().state(QueuePairState.RTS).build());
    }

    @Override
    public void take(int count) {
        long at = device.sends.address() & ADDRESSES;
        INDEX.setRelease(ALL, at + NullDevice.CONSUMER_INDEX, (int) INDEX.get(ALL, at + NullDevice.PRODUCER_INDEX));
    }

    @Override
    public void complete(int count) {
        long at = device.completions.address() & ADDRESSES;
        int index = (int) INDEX.get(ALL, at + NullDevice.CONSUMER_INDEX) + count & MASK;
        INDEX.setRelease(ALL, at + NullDevice.PRODUCER_INDEX, index);
    }
}
