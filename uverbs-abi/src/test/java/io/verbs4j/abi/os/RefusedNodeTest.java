// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.types.Errno;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RefusedNodeTest {
    private static final Path NODE = Path.of("/dev/infiniband/uverbs0");
    private static final Path MANAGER = Path.of("/dev/infiniband/rdma_cm");

    @TempDir private Path root;

    @Test
    void namesTheOptionOfTheContainerWhenSysfsListsTheDevice() throws IOException {
        Files.createDirectories(root.resolve("sys/class/infiniband_verbs/uverbs0"));

        assertThat(RefusedNode.explain(root, NODE, Errno.ENOENT))
                .contains("no such node", "--device=/dev/infiniband/uverbs0")
                .doesNotContain("modprobe");
    }

    @Test
    void namesTheDriverWhenTheKernelHasNoSuchDevice() {
        assertThat(RefusedNode.explain(root, NODE, Errno.ENOENT)).contains("modprobe ib_uverbs")
                .doesNotContain("container");
        assertThat(RefusedNode.explain(root, MANAGER, Errno.ENOENT)).contains("modprobe rdma_ucm");
    }

    @Test
    void namesTheOptionForTheConnectionManagersNode() throws IOException {
        Files.createDirectories(root.resolve("sys/class/misc/rdma_cm"));

        assertThat(RefusedNode.explain(root, MANAGER, Errno.ENOENT)).contains("--device=/dev/infiniband/rdma_cm");
    }

    @Test
    void namesTheRulesThatForbidTheNode() {
        assertThat(RefusedNode.explain(root, NODE, Errno.EPERM))
                .contains("device rules", "--device=/dev/infiniband/uverbs0")
                .doesNotContain("namespace");
    }

    /// `/dev/null` may be opened by all, so that only the driver can refuse.
    @Test
    void namesTheNamespaceIfTheNodeIsAccessible() {
        assertThat(RefusedNode.explain(root, Path.of("/dev/null"), Errno.EPERM))
                .contains("another network namespace")
                .doesNotContain("device rules");
    }

    @Test
    void leavesOtherErrorsToTheCatalogue() {
        assertThat(RefusedNode.explain(root, NODE, Errno.EACCES)).contains("may not read and write");
    }

    /// The node of this test may be read and written, so that its permissions cannot be what is missing.
    @Test
    void namesTheMountThatIgnoresDevicesIfPermissionsSuffice() throws IOException {
        Path node = Files.createFile(root.resolve("uverbs0"));

        assertThat(RefusedNode.explain(root, node, Errno.EACCES)).contains("nodev", "remount,dev " + root);
    }

    /// `/dev/null` is there on each system, as 1:3.
    @Test
    void namesANodeThatIsAnotherDevice() throws IOException {
        Path node = Path.of("/dev/null");
        assertThat(RefusedNode.wrongKind(root, node)).isEmpty();
        Path listed = Files.createDirectories(root.resolve("sys/class/misc/null")).resolve("dev");
        Files.writeString(listed, "1:3\n");
        assertThat(RefusedNode.wrongKind(root, node)).isEmpty();
        Files.writeString(listed, "10:120\n");
        assertThat(RefusedNode.wrongKind(root, node)).contains("1:3 instead of 10:120", "--device=/dev/null");
        assertThat(RefusedNode.wrongKind(root, listed)).isEqualTo(listed + " is not a character device");
        assertThat(RefusedNode.wrongKind(root, root.resolve("missing"))).isEmpty();
    }
}
