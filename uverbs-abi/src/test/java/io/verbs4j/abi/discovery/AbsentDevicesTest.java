// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AbsentDevicesTest {
    @TempDir private Path root;

    private boolean shownByNetlink;

    @Test
    void namesTheSystemThatIsNotLinux() {
        assertThat(AbsentDevices.explain(root, "Mac OS X", () -> false).toString()).contains("this is Mac OS X",
                "-Dverbs4j.simulate=2");
        assertThat(AbsentDevices.explain(root, "Windows 11", () -> false).toString()).contains("this is Windows 11",
                "Linux virtual machine");
    }

    @Test
    void namesTheMountWhenSysfsIsHidden() throws IOException {
        make("sys");

        assertThat(explain()).contains("sysfs", "mount -t sysfs sysfs /sys", "--volume=/sys:/sys:ro")
                .doesNotContain("modprobe");
    }

    @Test
    void namesTheDriverWhenNothingIsThere() throws IOException {
        make("sys/class");

        assertThat(explain()).contains("no RDMA device", "modprobe rdma_rxe", "rdma link add")
                .doesNotContain("container");
    }

    @Test
    void sendsToTheHostFromAContainer() throws IOException {
        make("sys/class");
        make("run");
        Files.createFile(root.resolve("run/.containerenv"));

        assertThat(explain()).contains("modprobe rdma_rxe", "on the host, outside of this container");
    }

    @Test
    void seesANodeWithoutADevice() throws IOException {
        make("sys/class/infiniband_verbs");
        make("dev/infiniband/uverbs3");

        assertThat(explain()).contains("/dev/infiniband/uverbs3", "--volume=/sys:/sys:ro").doesNotContain("modprobe");
    }

    /// The class of nodes does not support network namespaces, but the class of devices does.
    @Test
    void seesADeviceOfAnotherNetworkNamespace() throws IOException {
        make("sys/class/infiniband_verbs/uverbs0");

        assertThat(explain()).contains("uverbs0", "another network namespace", "--network=host")
                .doesNotContain("modprobe");
    }

    @Test
    void devicesThatNetlinkShowsAreNotInAnotherNamespace() throws IOException {
        Files.createDirectories(root.resolve("sys/class/infiniband_verbs/uverbs0"));
        shownByNetlink = true;

        assertThat(explain()).contains("sysfs hides them", "--volume=/sys:/sys:ro")
                .doesNotContain("namespace", "modprobe");
    }

    private String explain() {
        return AbsentDevices.explain(root, "Linux", () -> shownByNetlink).toString();
    }

    private void make(String folder) throws IOException {
        Files.createDirectories(root.resolve(folder));
    }
}
