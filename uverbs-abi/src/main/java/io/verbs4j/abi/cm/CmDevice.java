// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.cm;

import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.failure.Closing;
import io.verbs4j.abi.host.Host;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;

/// Finds and opens the connection manager's device.
public final class CmDevice {
    /// The device node.
    public static final Path NODE = Path.of("/dev/infiniband/rdma_cm");

    /// Path of the ABI version in sysfs.
    public static final Path ABI_VERSION = Path.of("/sys/class/misc/rdma_cm/abi_version");

    /// The kernel module of the device.
    public static final String MODULE = "rdma_ucm";

    private CmDevice() {}

    /// The listeners, looked up once per process.
    private static final class Listeners {
        static final List<CmFileListener> ALL =
                ServiceLoader.load(CmFileListener.class, CmDevice.class.getClassLoader())
                        .stream()
                        .map(ServiceLoader.Provider::get)
                        .toList();
    }

    /// Opens the device for commands that do not wait, and attaches all listeners.
    ///
    /// @throws io.verbs4j.types.VerbsException if the node does not exist or may not be opened
    public static DeviceFile open() {
        return attach(Listeners.ALL, Host.current().openNonBlocking(NODE));
    }

    /// Attaches listeners to a file, or closes the file.
    static DeviceFile attach(List<CmFileListener> listeners, DeviceFile opened) {
        DeviceFile file = opened;
        try {
            for (CmFileListener listener : listeners) {
                file = listener.listen(file).orElse(file);
            }
            return file;
        } catch (RuntimeException | Error e) {
            Closing.allAfter(e, file::close);
            throw e;
        }
    }
}
