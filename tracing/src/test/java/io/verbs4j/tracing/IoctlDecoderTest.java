// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.command.DriverAbi;
import io.verbs4j.abi.context.QueryDevice;
import io.verbs4j.abi.memory.ReregisterMemory;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.UverbsAttribute;
import io.verbs4j.abi.uapi.UverbsMethod;
import io.verbs4j.abi.uapi.UverbsObject;
import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Commands by ioctl that no command class sends, or whose failure is an answer.
class IoctlDecoderTest {
    private static final int CORE_IN = 0;
    private static final int CORE_OUT = 1;
    private static final int WRITE_CMD = 2;

    private static final UverbsMethod OWN = UverbsMethod.ofDriver(UverbsObject.CQ, 0x1002, "OWN", "CQ_TUNE");
    private static final UverbsAttribute OWN_HANDLE = OWN.handle(0x1000, "CQ_TUNE_CQ_HANDLE");
    private static final UverbsAttribute OWN_LEVEL = OWN.in(0x1001, "CQ_TUNE_LEVEL");
    private static final CommandSpecification TUNE =
            CommandSpecification.of("tune").method(OWN, "5.0").changes(UverbsObject.CQ);
    private static final CStruct PAGE = CStruct.of("own.h", "own_page", CStruct.u32("first"), CStruct.u32("second"));
    private static final CStruct REQUEST = CStruct.of("own.h", "own_request", CStruct.u64("page_addr"));

    private final Arena arena = Arena.ofConfined();
    private final ObjectNames names = new ObjectNames("rxe0");

    @AfterEach
    void freeMemory() {
        arena.close();
    }

    /// An argument: its number, length and data.
    private record Argument(int id, int length, long data) {}

    private MemorySegment command(int object, int method, Argument... arguments) {
        MemorySegment memory = arena.allocate(24 + 16L * arguments.length, 8);
        memory.set(JAVA_SHORT, 0, (short) memory.byteSize());
        memory.set(JAVA_SHORT, 2, (short) object);
        memory.set(JAVA_SHORT, 4, (short) method);
        memory.set(JAVA_SHORT, 6, (short) arguments.length);
        int at = 24;
        for (Argument argument : arguments) {
            memory.set(JAVA_SHORT, at, (short) argument.id);
            memory.set(JAVA_SHORT, at + 2, (short) argument.length);
            memory.set(JAVA_LONG, at + 8, argument.data);
            at += 16;
        }
        return memory;
    }

    private Argument carried(IbUserVerbsCmd command) {
        return new Argument(WRITE_CMD, 8, Integer.toUnsignedLong(command.command()));
    }

    @ParameterizedTest
    @CsvSource({"3, 77, UVERBS_OBJECT_CQ method 77", "999, 5, ? method 5"})
    void anUnknownMethodIsShownByItsNumbers(int object, int method, String shown) {
        var decoder = new IoctlDecoder(
                names, DriverAbi.NONE, command(object, method, new Argument(7, 8, 5), new Argument(0x1f, 8, 6)));
        decoder.finish(-Errno.EPROTONOSUPPORT);

        assertThat(decoder.command()).isEqualTo(shown);
        assertThat(decoder.transport()).isEqualTo("ioctl");
        assertThat(decoder.verb()).isNull();
        assertThat(decoder.arguments).containsExactly("0x7=5", "0x1f=6");
        assertThat(decoder.answer(-Errno.EPROTONOSUPPORT)).isEmpty();
        assertThat(decoder.parts)
                .singleElement()
                .extracting(part -> part.fields().stream().map(field -> field.path() + "=" + field.text()).toList())
                .asString()
                .contains(
                        "method_id=? (" + method + ")", "attribute 0.attr_id=0x7,", "attribute 0.data=0x5,",
                        "attribute 1.attr_id=0x1f,", "attribute 1.data=0x6");
    }

    /// The kernel carries out no write command with an unknown number.
    @Test
    void anUnknownWriteCommandIsShown() {
        var decoder = new IoctlDecoder(
                names,
                DriverAbi.NONE,
                command(
                        0, 0, new Argument(WRITE_CMD, 8, 999), new Argument(CORE_IN, 8, 7),
                        new Argument(CORE_OUT, 8, arena.allocateFrom(JAVA_LONG, 9).address())));
        decoder.finish(0);

        assertThat(decoder.command()).isEqualTo("UVERBS_METHOD_INVOKE_WRITE");
        assertThat(decoder.verb()).isNull();
        assertThat(decoder.parts).extracting(TracePart::isExplained).containsExactly(true, false);
        assertThat(decoder.parts.getFirst().fields())
                .filteredOn(field -> field.path().equals("WRITE_CMD.data"))
                .extracting(TraceField::text)
                .containsExactly("?");
    }

    @Test
    void aDriversOwnMethodIsDecoded() {
        var driver = new DriverAbi("own", List.of(), Map.of(), Map.of(), List.of(TUNE), Map.of());
        names.add(UverbsObject.CQ, 4, 4, List.of(), Map.of());
        var decoder = new IoctlDecoder(
                names,
                driver,
                command(
                        UverbsObject.CQ.id(), OWN.id(), new Argument(OWN_HANDLE.id(), 0, 4),
                        new Argument(OWN_LEVEL.id(), 4, 12)));

        assertThat(decoder.verb()).isSameAs(TUNE);
        assertThat(decoder.command()).isEqualTo(OWN.cName());
        assertThat(decoder.arguments).containsExactly("cq_handle=cq#4", "level=12");
        assertThat(new IoctlDecoder(names, driver, command(UverbsObject.CQ.id(), OWN.id() + 1)).verb()).isNull();
        assertThat(new IoctlDecoder(names, driver, command(UverbsObject.QP.id(), OWN.id())).verb()).isNull();
    }

    /// A command without its request is refused with another error if the kernel accepts write commands in an ioctl.
    @Test
    void aMissingRequestIsAQuestion() {
        var decoder = new IoctlDecoder(names, DriverAbi.NONE, command(0, 0, carried(QueryDevice.WRITE)));
        assertThat(decoder.answer(-Errno.EPROTONOSUPPORT)).endsWith("it does not, so they are sent by write()");
        assertThat(decoder.answer(-Errno.ENOSPC)).endsWith("it reported a missing request, so it does");
        assertThat(decoder.transport()).isEqualTo("ioctl (INVOKE_WRITE)");
    }

    @Test
    void aRegistrationOfNoRegionIsAQuestion() {
        MemorySegment request = ReregisterMemory.WRITE.request().allocate(arena);
        IoctlDecoder ordinary = reregistration(request);
        assertThat(ordinary.answer(-Errno.EOPNOTSUPP)).isEmpty();
        ReregisterMemory.WRITE.request().view(request).set("mr_handle", ReregisterMemory.NO_REGION);
        IoctlDecoder question = reregistration(request);
        assertThat(question.answer(-Errno.EOPNOTSUPP))
                .isEqualTo("probed whether this driver re-registers memory: it does not");
        assertThat(question.answer(-Errno.EINVAL))
                .isEqualTo(
                        "probed whether this driver re-registers memory: it reported a missing region, so it does");
    }

    private IoctlDecoder reregistration(MemorySegment request) {
        return new IoctlDecoder(
                names,
                DriverAbi.NONE,
                command(
                        0, 0, carried(ReregisterMemory.WRITE),
                        new Argument(CORE_IN, (int) request.byteSize(), request.address())));
    }

    /// The driver's request contains the address of a further struct, or 0.
    @Test
    void pointersOfTheDriverAreFollowed() {
        var driver = new DriverAbi(
                "own", List.of(), Map.of(QueryDevice.SPECIFICATION, REQUEST), Map.of(), List.of(),
                Map.of("page_addr", PAGE));
        MemorySegment page = arena.allocateFrom(JAVA_INT, 5, 6);
        for (long address : new long[]{page.address(), 0}) {
            var decoder = new IoctlDecoder(
                    names,
                    driver,
                    command(
                            0, 0, carried(QueryDevice.WRITE), new Argument(CORE_IN, 8, 0),
                            new Argument(UverbsAttribute.UHW_IN.id(), 8, address)));
            decoder.finish(0);
            assertThat(decoder.parts)
                    .filteredOn(part -> part.title().equals("*page_addr"))
                    .extracting(
                            part -> part.struct() + " " + part.direction() + " " + (part.address() - page.address())
                                    + " " + part.fields().stream().map(TraceField::value).toList())
                    .isEqualTo(address == 0 ? List.of() : List.of("own_page FROM_KERNEL 0 [5, 6]"));
        }
    }
}
