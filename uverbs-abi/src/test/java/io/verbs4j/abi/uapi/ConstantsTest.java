// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.abi.UapiFixture;
import io.verbs4j.abi.catalogue.CommandCatalogue;
import io.verbs4j.abi.cm.SetOption;
import io.verbs4j.abi.completion.CreateCompletionQueue;
import io.verbs4j.abi.memory.AdviseMemory;
import io.verbs4j.types.Access;
import io.verbs4j.types.CompletionOpcode;
import io.verbs4j.types.DeviceAttributes;
import io.verbs4j.types.Errno;
import io.verbs4j.types.GidType;
import io.verbs4j.types.PortSpace;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.WorkRequestOpcode;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Compares every number with gcc's value from the kernel's headers.
class ConstantsTest {
    private static final UapiFixture FIXTURE = UapiFixture.read();
    private static final List<UverbsAttribute> OF_ANY_METHOD =
            List.of(UverbsAttribute.UHW_IN, UverbsAttribute.UHW_OUT);

    private static void check(String name, long value) {
        assertThat(FIXTURE.absent).as("the fixture comes from headers that are too old").doesNotContain(name);
        assertThat(FIXTURE.constants).containsEntry(name, value);
    }

    @Test
    void commandsOfTheConnectionManagerAreThoseOfTheHeader() {
        assertThat(CommandCatalogue.connectionManager()).hasSize(24);
        for (RdmaUcmCmd command : CommandCatalogue.connectionManager()) {
            check(command.cName(), command.number());
            assertThat(CommandCatalogue.connectionManager(command.number())).contains(command);
            assertThat(command.request().header()).isEqualTo(UapiHeader.RDMA_USER_CM);
        }
        assertThat(CommandCatalogue.connectionManager(13)).as("GET_OPTION, which no kernel has").isEmpty();
        assertThat(CommandCatalogue.connectionManager(99)).isEmpty();
        for (PortSpace space : PortSpace.values()) {
            check("RDMA_PS_" + space, space.value());
            assertThat(PortSpace.of(space.value())).contains(space);
        }
        check("RDMA_OPTION_ID_TOS", SetOption.TYPE_OF_SERVICE);
        check("RDMA_OPTION_ID_REUSEADDR", SetOption.REUSE_ADDRESS);
        check("RDMA_OPTION_ID_AFONLY", SetOption.ADDRESS_FAMILY_ONLY);
        check("RDMA_OPTION_ID_ACK_TIMEOUT", SetOption.ACKNOWLEDGE_TIMEOUT);
        check("AF_INET", SocketAddresses.AF_INET);
        check("AF_INET6", SocketAddresses.AF_INET6);
    }

    @Test
    void objectsAreThoseOfTheHeader() {
        for (UverbsObject object : UverbsObject.values()) {
            check(object.cName(), object.id());
            assertThat(UverbsObject.of(object.id())).contains(object);
        }
        assertThat(UverbsObject.of(-1)).isEmpty();
        assertThat(UverbsObject.of(1000)).isEmpty();
    }

    @Test
    void methodsAreThoseOfTheHeader() {
        assertThat(CommandCatalogue.methods()).hasSizeGreaterThan(15);
        for (UverbsMethod method : CommandCatalogue.methods()) {
            check(method.cName(), method.id());
            assertThat(CommandCatalogue.method(method.object().id(), method.id())).contains(method);
        }
        assertThat(CommandCatalogue.method(UverbsObject.PD.id(), 9)).isEmpty();
    }

    @Test
    void attributesAreThoseOfTheHeader() {
        for (UverbsMethod method : CommandCatalogue.methods()) {
            assertThat(method.attributes()).as(method.name()).isNotEmpty();
            for (UverbsAttribute attribute : method.attributes()) {
                check(attribute.cName(), attribute.id());
                assertThat(method.attribute(attribute.id())).contains(attribute);
                assertThat(attribute.method()).contains(method);
            }
            for (UverbsAttribute attribute : OF_ANY_METHOD) {
                check(attribute.cName(), attribute.id());
                assertThat(method.attribute(attribute.id())).contains(attribute);
            }
            assertThat(method.attribute(99)).isEmpty();
        }
    }

    @Test
    void aDriversMethodHasNumbersAndNamesOfItsOwn() {
        UverbsMethod method = UverbsMethod.ofDriver(UverbsObject.PD, 0x1000, "MLX5_IB", "PD_QUERY");
        UverbsAttribute handle = method.handle(0x1000, "QUERY_PD_HANDLE");
        assertThat(method.cName()).isEqualTo("MLX5_IB_METHOD_PD_QUERY");
        assertThat(handle.cName()).isEqualTo("MLX5_IB_ATTR_QUERY_PD_HANDLE");
        assertThat(handle.object()).contains(UverbsObject.PD);
        assertThat(method.attribute(0x1000)).contains(handle);
        assertThat(method.attribute(0x1001)).as("what the core's methods call the driver's answer").isEmpty();
        assertThatThrownBy(() -> method.out(0x1000, "QUERY_PD_RESP")).hasMessageContaining("the same number");
        assertThatThrownBy(() -> UverbsMethod.of(UverbsObject.PD, 0x1000, "PD_QUERY"))
                .hasMessageContaining("id=4096");
        assertThatThrownBy(() -> UverbsMethod.ofDriver(UverbsObject.PD, 1, "MLX5_IB", "PD_QUERY"))
                .hasMessageContaining("id=1");
    }

    @Test
    void writeCommandsAreThoseOfTheHeader() {
        assertThat(CommandCatalogue.writes()).hasSizeGreaterThan(30);
        for (IbUserVerbsCmd command : CommandCatalogue.writes()) {
            check(command.cName(), command.number());
            assertThat(CommandCatalogue.write(command.command())).contains(command);
        }
        check("IB_USER_VERBS_CMD_FLAG_EXTENDED", Integer.toUnsignedLong(IbUserVerbsCmd.EXTENDED));
        assertThat(CreateCompletionQueue.EXTENDED_WRITE.command()).isEqualTo(0x8000_0012);
        assertThat(CommandCatalogue.write(99)).isEmpty();
    }

    @Test
    void everyIdOfTheOracleHasAName() {
        Stream<String> ours = Stream.of(
                Arrays.stream(UverbsObject.values()).map(UverbsObject::cName),
                CommandCatalogue.methods().stream().map(UverbsMethod::cName),
                CommandCatalogue.methods()
                        .stream()
                        .flatMap(method -> method.attributes().stream())
                        .map(UverbsAttribute::cName),
                OF_ANY_METHOD.stream().map(UverbsAttribute::cName),
                CommandCatalogue.writes().stream().map(IbUserVerbsCmd::cName))
                .flatMap(names -> names);
        List<String> theirs = FIXTURE.constants.keySet()
                .stream()
                .filter(name -> name.matches("(UVERBS_(OBJECT|METHOD|ATTR)|IB_USER_VERBS_(EX_)?CMD)_.*"))
                .filter(name -> !name.startsWith("UVERBS_ATTR_F_") && !name.endsWith("_FLAG_EXTENDED"))
                .toList();
        assertThat(ours).containsExactlyInAnyOrderElementsOf(theirs);
    }

    @Test
    void driversAreThoseOfTheHeader() {
        for (int id = 0; id < RdmaDriver.count(); id++) {
            check("RDMA_DRIVER_" + RdmaDriver.name(id), id);
        }
        check("RDMA_DRIVER_MLX5", RdmaDriver.MLX5);
        check("RDMA_DRIVER_RXE", RdmaDriver.RXE);
        check("RDMA_DRIVER_SIW", RdmaDriver.SIW);
        check("RDMA_DRIVER_UNKNOWN", RdmaDriver.UNKNOWN);
        assertThat(RdmaDriver.name(77)).isEqualTo("UNKNOWN(77)");
        assertThat(RdmaDriver.name(-1)).isEqualTo("UNKNOWN(-1)");
    }

    @Test
    void attributeFlagsAreThoseOfTheHeader() {
        check("UVERBS_ATTR_F_MANDATORY", IbUverbsAttr.MANDATORY);
        check("UVERBS_ATTR_F_VALID_OUTPUT", IbUverbsAttr.VALID_OUTPUT);
    }

    @Test
    void netlinkNumbersAreThoseOfTheHeaders() throws IllegalAccessException {
        for (Map.Entry<String, Integer> constant : constants(RdmaNldev.class).entrySet()) {
            check("RDMA_NLDEV_" + constant.getKey(), constant.getValue());
        }
        for (Map.Entry<String, Integer> constant : constants(NetlinkFlags.class).entrySet()) {
            // The header defines some of them as 32-bit masks of 16-bit fields.
            Long inC = FIXTURE.constants.get(constant.getKey());
            assertThat(inC).as(constant.getKey()).isNotNull();
            assertThat(inC.intValue() & 0xffff).as(constant.getKey()).isEqualTo(constant.getValue());
        }
        assertThat(RdmaNldev.messageType(RdmaNldev.CMD_GET_CHARDEV)).isEqualTo(0x140f);
    }

    @Test
    void errorNumbersAreThoseOfTheHeader() throws IllegalAccessException {
        for (Map.Entry<String, Integer> constant : constants(Errno.class).entrySet()) {
            // From 512 on, they are internal to the kernel (include/linux/errno.h), and reach user space by mistake
            // only.
            if (constant.getValue() < 512) {
                check(constant.getKey(), constant.getValue());
            }
            assertThat(Errno.name(constant.getValue())).isEqualTo(constant.getKey());
        }
    }

    @Test
    void accessRightsAreThoseOfTheHeader() {
        var inC = Map.of("MEMORY_WINDOW_BIND", "MW_BIND", "HUGE_PAGES", "HUGETLB");
        for (Access access : Access.values()) {
            check("IB_UVERBS_ACCESS_" + inC.getOrDefault(access.name(), access.name()), access.value());
        }
    }

    @Test
    void typesAreThoseOfTheHeader() {
        for (QueuePairType type : QueuePairType.values()) {
            check("IB_UVERBS_QPT_" + type, type.value());
        }
        for (GidType type : List.of(GidType.IB, GidType.ROCE_V1, GidType.ROCE_V2)) {
            check("IB_UVERBS_GID_TYPE_" + type, type.value());
        }
    }

    @Test
    void opcodesOfWorkRequestsAreThoseOfTheHeader() {
        check("IB_UVERBS_WR_RDMA_WRITE", WorkRequestOpcode.RDMA_WRITE);
        check("IB_UVERBS_WR_RDMA_WRITE_WITH_IMM", WorkRequestOpcode.RDMA_WRITE_WITH_IMMEDIATE);
        check("IB_UVERBS_WR_SEND", WorkRequestOpcode.SEND);
        check("IB_UVERBS_WR_SEND_WITH_IMM", WorkRequestOpcode.SEND_WITH_IMMEDIATE);
        check("IB_UVERBS_WR_RDMA_READ", WorkRequestOpcode.RDMA_READ);
        check("IB_UVERBS_WR_ATOMIC_CMP_AND_SWP", WorkRequestOpcode.COMPARE_AND_SWAP);
        check("IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD", WorkRequestOpcode.FETCH_AND_ADD);
        check("IB_UVERBS_WR_LOCAL_INV", WorkRequestOpcode.LOCAL_INVALIDATE);
        check("IB_UVERBS_WR_BIND_MW", WorkRequestOpcode.BIND_MEMORY_WINDOW);
        check("IB_UVERBS_WR_SEND_WITH_INV", WorkRequestOpcode.SEND_WITH_INVALIDATE);
        check("IB_UVERBS_WR_FLUSH", WorkRequestOpcode.FLUSH);
        check("IB_UVERBS_WR_ATOMIC_WRITE", WorkRequestOpcode.ATOMIC_WRITE);
    }

    @Test
    void opcodesOfCompletionsAreThoseOfTheHeader() {
        check("IB_UVERBS_WC_SEND", CompletionOpcode.SEND.value());
        check("IB_UVERBS_WC_RDMA_WRITE", CompletionOpcode.RDMA_WRITE.value());
        check("IB_UVERBS_WC_RDMA_READ", CompletionOpcode.RDMA_READ.value());
        check("IB_UVERBS_WC_COMP_SWAP", CompletionOpcode.COMPARE_AND_SWAP.value());
        check("IB_UVERBS_WC_FETCH_ADD", CompletionOpcode.FETCH_AND_ADD.value());
        check("IB_UVERBS_WC_BIND_MW", CompletionOpcode.BIND_MEMORY_WINDOW.value());
        check("IB_UVERBS_WC_LOCAL_INV", CompletionOpcode.LOCAL_INVALIDATE.value());
        check("IB_UVERBS_WC_FLUSH", CompletionOpcode.FLUSH.value());
        check("IB_UVERBS_WC_ATOMIC_WRITE", CompletionOpcode.ATOMIC_WRITE.value());
    }

    @Test
    void deviceCapabilitiesAreThoseOfTheHeader() {
        check("IB_UVERBS_DEVICE_MEM_WINDOW_TYPE_2B", DeviceAttributes.MEMORY_WINDOW_TYPE_2B);
        check("IB_UVERBS_DEVICE_FLUSH_GLOBAL", DeviceAttributes.FLUSH_GLOBAL);
        check("IB_UVERBS_DEVICE_FLUSH_PERSISTENT", DeviceAttributes.FLUSH_PERSISTENT);
        check("IB_UVERBS_DEVICE_ATOMIC_WRITE", DeviceAttributes.ATOMIC_WRITE);
    }

    @Test
    void adviceIsThatOfTheHeader() {
        check("IB_UVERBS_ADVISE_MR_ADVICE_PREFETCH", AdviseMemory.PREFETCH);
        check("IB_UVERBS_ADVISE_MR_ADVICE_PREFETCH_WRITE", AdviseMemory.PREFETCH_WRITE);
        check("IB_UVERBS_ADVISE_MR_ADVICE_PREFETCH_NO_FAULT", AdviseMemory.PREFETCH_NO_FAULT);
        check("IB_UVERBS_ADVISE_MR_FLAG_FLUSH", AdviseMemory.FLUSH);
    }

    private static Map<String, Integer> constants(Class<?> type) throws IllegalAccessException {
        var constants = new TreeMap<String, Integer>();
        for (Field field : type.getFields()) {
            if (Modifier.isStatic(field.getModifiers()) && field.getType() == int.class) {
                constants.put(field.getName(), field.getInt(null));
            }
        }
        return constants;
    }
}
