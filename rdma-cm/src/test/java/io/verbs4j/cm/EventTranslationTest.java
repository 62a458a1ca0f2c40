// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.cm.CmEventCode;
import io.verbs4j.abi.cm.CmEventRecord;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.ConnectionParameters;
import io.verbs4j.types.DatagramPath;
import io.verbs4j.types.Errno;
import io.verbs4j.types.Gid;
import io.verbs4j.types.PortSpace;
import io.verbs4j.types.PrivateData;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.VerbsException;
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
        assertThat(((CmEvent.ConnectResponse) translated(CmEventCode.CONNECT_RESPONSE)).parameters())
                .isEqualTo(PARAMETERS);
        assertThat(((CmEvent.Established) translated(CmEventCode.ESTABLISHED)).parameters()).isEqualTo(PARAMETERS);
        assertThat(((CmEvent.DatagramsEstablished) translated(CmEventCode.ESTABLISHED, datagrams, 0, PATH)).path())
                .isEqualTo(PATH);
        assertThat(((CmEvent.Rejected) translated(CmEventCode.REJECTED)).privateData())
                .isEqualTo(PARAMETERS.privateData());
        assertThat(((CmEvent.Rejected) translated(CmEventCode.REJECTED, datagrams, 1, PATH)).privateData())
                .isEqualTo(PATH.privateData());
        assertThat(((CmEvent.Rejected) translated(CmEventCode.REJECTED, datagrams, 1, null)).privateData())
                .isEqualTo(DATAGRAM_DATA);
    }

    @Test
    void failuresWithoutAnErrorNumberAreThePeersFault() {
        for (int status : new int[]{0, 3}) {
            assertThat(CmFailures.required("connect", new CmEvent.ConnectFailed(connection, status)))
                    .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EPROTO));
        }
    }

    @Test
    void eventsThatAProgramWroteCarryItsArgument() {
        assertThat(((CmEvent.UserEvent) translated(CmEventCode.USER)).argument()).isEqualTo(0x1122334455667788L);
    }

    @Test
    void othersKeepTheirNumber() {
        var other = new CmEvent.OtherEvent(connection, CmEventCode.ADDRINFO_ERROR.number(), STATUS);
        var seen = (CmEvent.OtherEvent) translated(CmEventCode.ADDRINFO_ERROR);
        assertThat(seen.code()).isEqualTo(CmEventCode.ADDRINFO_ERROR.number());
        assertThat(other.cName()).isEqualTo("RDMA_CM_EVENT_ADDRINFO_ERROR");
        assertThat(new CmEvent.OtherEvent(connection, 99, 0).cName()).isNull();
    }
}
