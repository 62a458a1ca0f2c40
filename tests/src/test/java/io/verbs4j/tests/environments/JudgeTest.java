// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.environments;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.environments.ToolCommands.ToolCommand;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// The judge of [DisturbedEnvironmentsIT] tells right answers from wrong ones.
class JudgeTest {
    private static final Set<Fact> FACTS = Set.of(Fact.LACKS_NET_ADMIN);
    private static final Outcome REFUSED = Outcome.fails("EPERM", Fact.LACKS_NET_ADMIN);

    private static List<String> judge(int code, String output, String error, Outcome outcome) {
        return Judge.faults(new ToolCommand(Kind.LINK, "link list --json"),
                new Finished("link list", 1, code, output, error), outcome, FACTS);
    }

    @Test
    void aTrueCauseAWorkingCommandAndJsonAreRight() {
        assertThat(judge(1, "", "verbs link: EPERM: it needs CAP_NET_ADMIN\n", REFUSED)).isEmpty();
        assertThat(judge(0, "[]", "", Outcome.WORKS)).isEmpty();
        assertThat(judge(1, "", "verbs link: EPERM, possible causes: seccomp, no CAP_NET_ADMIN", REFUSED)).isEmpty();
    }

    @Test
    void exitCodesAreCompared() {
        assertThat(judge(0, "", "", REFUSED)).containsExactly("it succeeds");
        assertThat(judge(1, "", "verbs: no", Outcome.WORKS)).containsExactly("it fails");
        assertThat(judge(134, "", "", Outcome.WORKS)).containsExactly("exit code 134");
    }

    @Test
    void aCauseThatIsNotTrueAnErrnoThatCannotBeAndNoCauseAreFaults() {
        assertThat(judge(1, "", "verbs link: EPERM: it needs CAP_NET_RAW", REFUSED))
                .containsExactly("not true: LACKS_NET_RAW", "does not name [LACKS_NET_ADMIN]");
        assertThat(judge(1, "", "verbs link: EINVAL: it needs CAP_NET_ADMIN", REFUSED))
                .containsExactly("EINVAL cannot be");
        assertThat(judge(1, "", "verbs link: EPERM", REFUSED)).containsExactly("does not name [LACKS_NET_ADMIN]");
    }

    @Test
    void ofAlternativesOneMustBeTrue() {
        assertThat(judge(1, "", "verbs link: EPERM: CAP_NET_ADMIN is missing, or it is a VLAN", REFUSED)).isEmpty();
        assertThat(judge(1, "", "verbs link: EPERM: no descriptors, or a VLAN; CAP_NET_ADMIN", REFUSED))
                .containsExactlyInAnyOrder("not true: HAS_NO_DESCRIPTOR", "not true: INTERFACE_IS_A_VLAN");
    }

    @Test
    void formIsJudged() {
        assertThat(judge(1, "", "EPERM CAP_NET_ADMIN\nand more\n", REFUSED)).containsExactly("2 lines of error");
        assertThat(judge(1, "", "IllegalStateException: CAP_NET_ADMIN", REFUSED))
                .containsExactly("the error shows Java");
        assertThat(judge(0, "[}", "", Outcome.WORKS)).containsExactly("the output is no JSON");
        assertThat(judge(0, "device rxe0", "", Outcome.WORKS)).containsExactly("the output is no JSON");
    }

    @Test
    void whatAProcessPrintsIsReadAgain() {
        var finished = new Finished("devices", 12, 1, "a\tb\\n\nc", "d\r\n");
        assertThat(Finished.parse(finished.toLine())).contains(finished);
        assertThat(Finished.parse("devices")).isEmpty();
    }

    @Test
    void thereAreFiftyEnvironmentsAndEachCauseHasOne() {
        assertThat(Environment.values()).hasSizeGreaterThanOrEqualTo(50);
        assertThat(Arrays.stream(Environment.values()).map(Environment::outside).distinct()).hasSizeGreaterThan(45);
    }
}
