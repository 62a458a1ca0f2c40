// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.host;

import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.discovery.DeviceDirectory;
import io.verbs4j.abi.discovery.RdmaNetlink;
import io.verbs4j.abi.discovery.UverbsDevice;
import io.verbs4j.abi.os.LinuxDeviceFile;
import io.verbs4j.abi.sysfs.SysfsPort;
import io.verbs4j.types.HardwareCounters;
import io.verbs4j.types.VerbsException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The Linux system that this process runs on.
final class LinuxHost implements Host {
    @Override
    public List<UverbsDevice> devices() {
        return DeviceDirectory.system().devices();
    }

    @Override
    public Optional<UverbsDevice> device(String name) {
        return DeviceDirectory.system().device(name);
    }

    @Override
    public String absence() {
        return DeviceDirectory.system().absence();
    }

    @Override
    public DeviceFile open(Path node) {
        return LinuxDeviceFile.open(node);
    }

    @Override
    public List<Integer> pkeys(String device, int port) {
        return SysfsPort.of(device, port).pkeys();
    }

    @Override
    public HardwareCounters hardwareCounters(String device, int port) {
        return SysfsPort.of(device, port).hardwareCounters();
    }

    @Override
    public KernelRelease kernel() {
        return KernelRelease.running();
    }

    @Override
    public boolean copiesMemoryOnFork() {
        try (RdmaNetlink netlink = RdmaNetlink.open()) {
            return netlink.copiesOnFork();
        } catch (VerbsException e) {
            return false;
        }
    }

    @Override
    public String toString() {
        return "this machine";
    }
}
