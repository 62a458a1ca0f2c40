// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.cm.CmEventCode;
import io.verbs4j.abi.cm.CmEventRecord;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.ConnectionParameters;
import io.verbs4j.types.DatagramPath;
import io.verbs4j.types.Gid;
import io.verbs4j.types.PortSpace;
import io.verbs4j.types.PrivateData;
import io.verbs4j.types.QueuePairType;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Translates each event that the kernel has, also those that no kernel of the lab sends.
class EventTranslationTest {
    private static final int STATUS = -7;
    private static final int INCOMING = 12;
    private static final ConnectionParameters PARAMETERS =
            ConnectionParameters.DEFAULT.withPrivateData(PrivateData.of(new byte[]{1, 2, 3}));
    private static final PrivateData DATAGRAM_DATA = PrivateData.of(new byte[]{4, 5});
    private static final DatagramPath PATH = new DatagramPath(
            5, 6, AddressVector.roce(1, 1, Gid.parse("0000:0000:0000:0000:0000:ffff:0a09:0002")),
            PrivateData.of(new byte[]{7}));

    /// Of which nothing is asked.
    private final EventChannel channel = EventChannel.of((DeviceFile) Proxy.newProxyInstance(
            DeviceFile.class.getClassLoader(), new Class<?>[]{DeviceFile.class}, (_, method, _) -> {
                throw new AssertionError(method);
            }));
    private final Identifier connection = new Identifier(channel, 1, 2, PortSpace.TCP, QueuePairType.RC);
    private final Identifier datagrams = new Identifier(channel, 3, 4, PortSpace.UDP, QueuePairType.UD);

    private CmEvent translated(CmEventCode code, Identifier identifier, int status, @Nullable DatagramPath path) {
        var event =
                new CmEventRecord(9, INCOMING, code.number(), status, PARAMETERS, path, DATAGRAM_DATA,
                        0x1122334455667788L);
        return EventTranslation.of(
                event,
                identifier,
                (listener, number) -> new Identifier(listener.channel(), number, 5, PortSpace.TCP, QueuePairType.RC));
    }

    private CmEvent translated(CmEventCode code) {
        return translated(code, connection, STATUS, null);
    }

    @ParameterizedTest
    @EnumSource
    void belongsToItsIdentifierAndKeepsItsStatus(CmEventCode code) {
        CmEvent event = translated(code);
        assertThat(event.identifier()).isSameAs(connection);
        boolean successful = switch (event) {
            case CmEvent.AddressResolved _,CmEvent.RouteResolved _,CmEvent.ConnectRequest _,CmEvent.ConnectResponse _,CmEvent.Established _,CmEvent.DeviceRemoved _,CmEvent.AddressChanged _,CmEvent.TimewaitExited _ ->
                true;
            default -> false;
        };
        assertThat(event.status()).isEqualTo(successful ? 0 : STATUS);
    }

    @Test
    void eachKindIsTheOneOfItsNumber() {
        assertThat(translated(CmEventCode.ADDR_RESOLVED)).isInstanceOf(CmEvent.AddressResolved.class);
        assertThat(translated(CmEventCode.ADDR_ERROR)).isInstanceOf(CmEvent.AddressFailed.class);
        assertThat(translated(CmEventCode.ROUTE_RESOLVED)).isInstanceOf(CmEvent.RouteResolved.class);
        assertThat(translated(CmEventCode.ROUTE_ERROR)).isInstanceOf(CmEvent.RouteFailed.class);
        assertThat(translated(CmEventCode.CONNECT_ERROR)).isInstanceOf(CmEvent.ConnectFailed.class);
        assertThat(translated(CmEventCode.UNREACHABLE)).isInstanceOf(CmEvent.Unreachable.class);
        assertThat(translated(CmEventCode.DISCONNECTED)).isInstanceOf(CmEvent.Disconnected.class);
        assertThat(translated(CmEventCode.DEVICE_REMOVAL)).isInstanceOf(CmEvent.DeviceRemoved.class);
        assertThat(translated(CmEventCode.ADDR_CHANGE)).isInstanceOf(CmEvent.AddressChanged.class);
        assertThat(translated(CmEventCode.TIMEWAIT_EXIT)).isInstanceOf(CmEvent.TimewaitExited.class);
    }

    @Test
    void requestsBringAnIdentifierAndWhatThePeerOffers() {
        var request = (CmEvent.ConnectRequest) translated(CmEventCode.CONNECT_REQUEST);
        assertThat(request.incoming()).hasToString("TCP identifier " + INCOMING);
        assertThat(request.parameters()).isEqualTo(PARAMETERS);
        var ofDatagrams =
                (CmEvent.ConnectRequest) translated(CmEventCode.CONNECT_REQUEST, datagrams, 0, null);
        assertThat(ofDatagrams.privateData()).isEqualTo(DATAGRAM_DATA);
    }

    @Test
    void answersBringWhatThePeerSays() {
        assertThat(translated(CmEventCode.CONNECT_RESPONSE))
                .isEqualTo(new CmEvent.ConnectResponse(connection, PARAMETERS));
        assertThat(translated(CmEventCode.ESTABLISHED)).isEqualTo(new CmEvent.Established(connection, PARAMETERS));
        assertThat(translated(CmEventCode.ESTABLISHED, datagrams, 0, PATH))
                .isEqualTo(new CmEvent.DatagramsEstablished(datagrams, PATH));
        assertThat(translated(CmEventCode.REJECTED))
                .isEqualTo(new CmEvent.Rejected(connection, STATUS, PARAMETERS.privateData()));
        assertThat(translated(CmEventCode.REJECTED, datagrams, 1, PATH))
                .isEqualTo(new CmEvent.Rejected(datagrams, 1, PATH.privateData()));
        assertThat(translated(CmEventCode.REJECTED, datagrams, 1, null))
                .isEqualTo(new CmEvent.Rejected(datagrams, 1, DATAGRAM_DATA));
    }

    @Test
    void eventsThatAProgramWroteCarryItsArgument() {
        assertThat(translated(CmEventCode.USER))
                .isEqualTo(new CmEvent.UserEvent(connection, STATUS, 0x1122334455667788L));
    }

    @Test
    void othersKeepTheirNumber() {
        var other = new CmEvent.OtherEvent(connection, CmEventCode.ADDRINFO_ERROR.number(), STATUS);
        assertThat(translated(CmEventCode.ADDRINFO_ERROR)).isEqualTo(other);
        assertThat(other.cName()).isEqualTo("RDMA_CM_EVENT_ADDRINFO_ERROR");
        assertThat(new CmEvent.OtherEvent(connection, 99, 0).cName()).isNull();
    }
}
