// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.course;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.Repository;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The course's pages show the programs as they are. That they show what the programs print is for [CourseIT].
class CourseTest {
    private static final Path REPOSITORY = Repository.folder();
    private static final List<Chapter> CHAPTERS = Chapter.all(REPOSITORY);

    @Test
    void hasThirteenChapters() {
        assertThat(CHAPTERS).hasSize(13);
        String index = Chapter.read(REPOSITORY.resolve("docs/course/README.md"));
        for (int i = 0; i < CHAPTERS.size(); i++) {
            assertThat(CHAPTERS.get(i).name()).startsWith("%02d-".formatted(i + 1));
            assertThat(Chapter.read(CHAPTERS.get(i).page())).startsWith("# " + (i + 1) + ". ");
            assertThat(index).contains("](" + CHAPTERS.get(i).name() + "/README.md)");
        }
    }

    @Test
    void showsEachProgramAsItIs() {
        for (Chapter chapter : CHAPTERS) {
            var page = new Page(Chapter.read(chapter.page()));
            assertThat(chapter.programs()).as("the program and a solution in %s", chapter.name()).hasSizeGreaterThan(1);
            for (Chapter.Program program : chapter.programs()) {
                assertThat(page.blocks("listing", program.name()))
                        .as("listing of %s; `tools/course --update` puts it into the page", program)
                        .containsExactly(program.listing());
                assertThat(page.blocks("output", program.name())).as("output of %s", program).hasSize(1);
            }
            assertThat(page.blocks()).as("blocks of %s", chapter.name()).hasSize(2 * chapter.programs().size());
            assertThat(page.text().lines().filter(line -> line.startsWith("<!-- ")).count())
                    .as("blocks of %s that are none", chapter.name())
                    .isEqualTo(3L * page.blocks().size() - page.blocks().size());
        }
    }

    @Test
    void hasProgramsThatTheBuildHasCompiled() {
        var programs = Chapter.programs(REPOSITORY);
        assertThat(programs.stream().map(Chapter.Program::name)).doesNotHaveDuplicates();
        for (Chapter.Program program : programs) {
            assertThat(REPOSITORY.resolve("tests/target/course/" + program.name() + ".class")).exists();
        }
    }

    @Test
    void hasProgramsThatNeedAKernelWhereTheScriptRefusesThem() {
        assertThat(Chapter.read(REPOSITORY.resolve("tools/course")))
                .contains("NEED_A_KERNEL='" + String.join(" ", new TreeSet<>(CourseIT.NEED_A_KERNEL.keySet())) + "'");
    }

    @Test
    void drawsPicturesAsTheLayoutsAre() {
        Map<Path, String> pictures = CoursePictures.draw(REPOSITORY);
        pictures.forEach((file, picture) -> {
            assertThat(Chapter.read(file)).as("%s; `tools/course --update` draws it", file).isEqualTo(picture);
            assertThat(Chapter.read(file.resolveSibling("README.md"))).contains("(" + file.getFileName() + ")");
        });
    }

    @Test
    void comparesAllOfAnOutputButWhatVaries() {
        String output = "qp#17 PSN 100 lkey=0x11 0x7f0011223344 qp#18 qp#17 status 5 12.345 ms";
        assertThat(Output.normalized(output))
                .isEqualTo("qp#‹qpn 1› PSN 100 lkey=‹key 1› ‹address 1› qp#‹qpn 2› qp#‹qpn 1› status 5‹time›");
        assertThat(Output.normalized(output.replace("17", "40").replace("18", "41").replace("3344", "0000")))
                .isEqualTo(Output.normalized(output));
        assertThat(Output.normalized(output.replace("qp#18", "qp#17"))).isNotEqualTo(Output.normalized(output));
        assertThat(Output.normalized(output.replace("status 5", "status 6"))).isNotEqualTo(Output.normalized(output));
        assertThat(Output.normalized("  +8 17 00 00 00 qpn = 0x000017\n")).doesNotMatch(Pattern.compile(".*17.*"));
    }
}
