// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.discovery;

import static io.verbs4j.abi.discovery.PlayedNetlink.DONE;
import static io.verbs4j.abi.discovery.PlayedNetlink.ERROR;
import static io.verbs4j.abi.discovery.PlayedNetlink.OBJECT;
import static io.verbs4j.abi.discovery.PlayedNetlink.end;
import static io.verbs4j.abi.discovery.PlayedNetlink.message;
import static io.verbs4j.abi.discovery.PlayedNetlink.text;
import static io.verbs4j.abi.discovery.PlayedNetlink.u32;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.abi.failure.KernelErrors;
import io.verbs4j.abi.failure.SystemOperation;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceIdsTest {
    private final PlayedNetlink kernel = new PlayedNetlink();
    private final Supplier<RdmaNetlink> sockets = () -> new RdmaNetlink(kernel);

    private void answerDevices() {
        kernel.answer(
                message(OBJECT, u32(1, 3), text(2, "rxe0")), message(OBJECT, u32(1, 4), text(2, "siw0")), end(DONE, 0));
    }

    private void answerNode(String name, int driver) {
        kernel.answer(message(OBJECT, text(70, name), u32(73, driver)), end(ERROR, 0));
    }

    @Test
    void allDevicesAreQueried() {
        answerDevices();
        answerNode("uverbs0", 14);
        answerNode("uverbs1", 19);

        assertThat(DeviceIds.byUverbsName(null, sockets))
                .isEqualTo(Map.of("uverbs0", new DeviceIds(3, 14), "uverbs1", new DeviceIds(4, 19)));
        assertThat(kernel.closed).isTrue();
    }

    @Test
    void oneDeviceIsQueriedByItsName() {
        answerDevices();
        answerNode("uverbs1", 19);

        assertThat(DeviceIds.byUverbsName("siw0", sockets)).isEqualTo(Map.of("uverbs1", new DeviceIds(4, 19)));
        assertThat(kernel.requests).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {Errno.ENODEV, Errno.ENOENT, Errno.EOPNOTSUPP, Errno.EINVAL, Errno.ENODATA})
    void aDeviceWithoutANodeIsOmitted(int errno) {
        answerDevices();
        kernel.answer(end(ERROR, -errno));
        answerNode("uverbs1", 19);

        assertThat(DeviceIds.byUverbsName(null, sockets)).containsOnlyKeys("uverbs1");
    }

    @Test
    void anotherErrorIsReported() {
        answerDevices();
        kernel.answer(end(ERROR, -Errno.ENOMEM));

        assertThatThrownBy(() -> DeviceIds.byUverbsName(null, sockets)).isInstanceOf(VerbsException.class);
        assertThat(kernel.closed).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                    Errno.EPERM, Errno.EACCES, Errno.EPROTONOSUPPORT, Errno.EAFNOSUPPORT, Errno.EOPNOTSUPP,
                    Errno.ECONNREFUSED, Errno.ENOSYS
            })
    void netlinkMayBeUnavailable(int errno) {
        assertThat(DeviceIds.byUverbsName(null, () -> {
            throw KernelErrors.failure(SystemOperation.RDMA_NETLINK, errno);
        })).isEmpty();
    }

    @Test
    void netlinkMayFail() {
        assertThatThrownBy(() -> DeviceIds.byUverbsName(null, () -> {
            throw KernelErrors.failure(SystemOperation.RDMA_NETLINK, Errno.EMFILE);
        })).isInstanceOf(VerbsException.class);
        assertThat(DeviceIds.byUverbsName(null, () -> {
            throw new UnsupportedOperationException();
        })).isEmpty();
    }
}
