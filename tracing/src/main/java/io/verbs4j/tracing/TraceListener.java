// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.spi.DeviceListener;
import io.verbs4j.spi.RingListener;
import java.util.Optional;

/// Device listener of a trace.
record TraceListener(Tracer tracer) implements DeviceListener {
    @Override
    public DeviceFile listen(DeviceFile file) {
        return new TracingDeviceFile(file, tracer, WriteDecoder::new);
    }

    @Override
    public Optional<RingListener> rings() {
        return tracer.tracesDataPath() ? Optional.of(new RingTrace(tracer)) : Optional.empty();
    }
}
