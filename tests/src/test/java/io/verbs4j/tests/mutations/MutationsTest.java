// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.mutations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.verbs4j.tests.mutations.sample.Sample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The list of mutations fits the code and its page. That each is caught takes minutes and is for `tools/mutations`.
class MutationsTest {
    private static final Path ROOT = Path.of("..");
    private static final List<Mutation> MUTATIONS = Mutation.read(ROOT.resolve("tests/mutations.txt"));

    private static final List<Sample> SAMPLES = Sample.all(ROOT);

    private static final String CONTRACT = "provider-api/src/test/java/io/verbs4j/spi/kit/ProviderContract.java";

    @Test
    void eachFitsTheCodeInOnePlace() {
        assertThat(MUTATIONS).hasSizeGreaterThanOrEqualTo(25);
        for (Mutation mutation : MUTATIONS) {
            assertThatCode(() -> mutation.apply(ROOT)).doesNotThrowAnyException();
        }
    }

    /// The simulator has a kernel of its own, which is judged like the rest.
    @Test
    void theSimulatorIsAmongThem() {
        assertThat(MUTATIONS).filteredOn(mutation -> mutation.file().startsWith("simulator"))
                .hasSizeGreaterThanOrEqualTo(25);
    }

    @Test
    void eachNamesATestThatThereIs() throws IOException {
        for (Mutation mutation : MUTATIONS) {
            String file = mutation.testClass().replace('.', '/') + ".java";
            Path source = MutationRun.modules(ROOT)
                    .stream()
                    .map(module -> ROOT.resolve(module).resolve("src/test/java").resolve(file))
                    .filter(Files::exists)
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(mutation + " is caught by nothing: " + mutation.test()));
            String methods = Files.readString(source);
            if (methods.contains("extends ProviderContract")) {
                methods += Files.readString(ROOT.resolve(CONTRACT));
            }
            assertThat(methods).as(mutation.toString()).contains(" " + mutation.testMethod() + "(");
        }
    }

    @Test
    void oneThatFitsNoMoreSaysSo() {
        Mutation first = MUTATIONS.getFirst();
        var changed = new Mutation("x", first.file(), first.test(), "", List.of("no such line"), List.of());
        assertThatIllegalStateException().isThrownBy(() -> changed.apply(ROOT)).withMessageContaining("does not fit");
        var twice = new Mutation("x", first.file(), first.test(), "", List.of("@Override"), List.of());
        assertThatIllegalStateException().isThrownBy(() -> twice.apply(ROOT)).withMessageContaining("fits twice");
    }

    @Test
    void nineteenOfTwentyDrawnDefectsAreCaughtAndTheOthersHaveReasons() {
        assertThat(SAMPLES).filteredOn(sample -> sample.drawn().size() >= 100).hasSizeGreaterThanOrEqualTo(2);
        assertThat(SAMPLES).hasSizeGreaterThanOrEqualTo(3).allSatisfy(sample -> {
            assertThat(sample.drawn()).hasSizeGreaterThanOrEqualTo(60);
            assertThat(sample.shareCaught()).as(sample.head()).isGreaterThanOrEqualTo(0.95);
            assertThat(sample.shareOfRealDevices()).as(sample.head()).isLessThanOrEqualTo(0.1);
            assertThat(sample.drawn())
                    .filteredOn(each -> !each.isCaught())
                    .allSatisfy(each -> assertThat(each.now()).matches("(equivalent|survived): .+"));
        });
    }

    @Test
    void pageIsUpToDate() throws IOException {
        assertThat(Files.readString(ROOT.resolve("docs/mutations.md")))
                .as("docs/mutations.md; `tools/mutations --table` makes it")
                .isEqualTo(MutationsPage.of(MUTATIONS, SAMPLES));
    }
}
