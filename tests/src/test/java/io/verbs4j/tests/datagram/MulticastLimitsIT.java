// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.datagram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.verbs4j.QueuePair;
import io.verbs4j.tests.support.ConnectedPair;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.End;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.types.Errno;
import io.verbs4j.types.Gid;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.ResourceLimitException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The number of members that a multicast group takes, and what is left when they have gone.
@DeviceTest
@RealKernel("rxe's own limits, and the addresses that a network interface hears")
@Covers({"ibv_attach_mcast", "ibv_detach_mcast"})
@Needs.EachKernel
class MulticastLimitsIT {
    private static final int MEMBERS = 56; // RXE_MAX_MCAST_QP_ATTACH

    private final ConnectedPair pair =
            ConnectedPair.onTheWire().transport(QueuePairType.UD).connect();
    private final End left = pair.left();

    @AfterEach
    void close() {
        pair.close();
    }

    /// 239.9.7.0 and the number.
    private static Gid group(int number) {
        return new Gid(0, 0x0000_ffff_ef09_0700L | number);
    }

    private static String heard(int group) throws IOException {
        return Files.readString(Path.of("/proc/net/dev_mcast"))
                .lines()
                .filter(line -> line.contains("veth0 ") && line.endsWith("3333ef0907%02x".formatted(group)))
                .findAny()
                .map(line -> line.trim().split("\\s+")[2])
                .orElse("0");
    }

    @Test
    void aGroupTakesNoMoreMembersThanTheDeviceSays() {
        var members = new ArrayList<QueuePair>();
        for (int i = 0; i <= MEMBERS; i++) {
            members.add(left.domain().datagram(left.queue()).prepare().start());
        }
        members.subList(0, MEMBERS).forEach(member -> member.attachMulticast(group(1)));
        QueuePair last = members.getLast();

        var refusal = catchThrowableOfType(ResourceLimitException.class, () -> last.attachMulticast(group(1)));

        assertThat(refusal.errno()).isEqualTo(Errno.ENOMEM);
        last.attachMulticast(group(2));
        members.getFirst().detachMulticast(group(1));
        last.attachMulticast(group(1));
        members.forEach(QueuePair::close);
    }

    /// Only a failure to join removes the address (`rxe_destroy_mcg`, rxe_mcast.c). The departure of the last member
    /// does not (`__rxe_destroy_mcg`). Each new creation of a group counts again.
    @Test
    void theInterfaceHearsAGroupAfterItsLastMemberHasLeftOnRxe() throws IOException {
        QueuePair member = left.queuePair();
        int before = Integer.parseInt(heard(3));
        member.attachMulticast(group(3));
        member.detachMulticast(group(3));
        member.attachMulticast(group(3));
        member.detachMulticast(group(3));

        assertThat(Integer.parseInt(heard(3))).isEqualTo(before + 2);
    }
}
