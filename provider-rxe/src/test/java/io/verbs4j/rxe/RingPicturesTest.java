// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The pictures and bytes of `docs/rings.md` match the present layouts and rings. To generate them again:
/// `VERBS4J_WRITE_DOCS=1 mvn -pl provider-rxe -am test -Dtest=RingPicturesTest`.
class RingPicturesTest {
    private static final Path DOCS = Path.of("../docs");
    private static final boolean WRITES = System.getenv("VERBS4J_WRITE_DOCS") != null;

    private final RingLife life = new RingLife();

    @Test
    void picturesAreUpToDate() throws IOException {
        var pictures = new LinkedHashMap<String, String>();
        pictures.put("ring-header.svg", StructPicture.draw(
                "struct rxe_queue_buf: the header of each ring (green: a word that changes)",
                List.of(RxeQueueBuf.LAYOUT),
                List.of(),
                at -> at >= 128 && at < 132 || at >= 256 && at < 260));
        pictures.put("send-wqe.svg", StructPicture.draw(
                "struct rxe_send_wqe and one rxe_sge: an RDMA write (green: written by a post)",
                List.of(RxeSendWqe.LAYOUT, RxeSge.LAYOUT),
                List.of("imm_data", "rdma"),
                at -> life.written[(int) at]));
        pictures.put("receive-wqe.svg", StructPicture.draw(
                "struct rxe_recv_wqe and one rxe_sge (green: written by a post: all)",
                List.of(RxeRecvWqe.LAYOUT, RxeSge.LAYOUT),
                List.of(),
                at -> true));
        pictures.put("completion.svg", StructPicture.draw(
                "struct ib_uverbs_wc: the ABI part of a completion (written by the kernel)",
                List.of(RxeCqe.LAYOUT),
                List.of("imm_data"),
                at -> true));
        pictures.put("one-write.svg", life.picture());
        for (Map.Entry<String, String> picture : pictures.entrySet()) {
            Path file = DOCS.resolve("images/" + picture.getKey());
            if (WRITES) {
                Files.createDirectories(file.getParent());
                Files.writeString(file, picture.getValue());
            }
            assertThat(Files.readString(file)).as("%s, made by RingPicturesTest", file).isEqualTo(picture.getValue());
            assertThat(Files.readString(DOCS.resolve("rings.md"))).contains("images/" + picture.getKey());
        }
    }

    @Test
    void bytesAreUpToDate() throws IOException {
        boolean[] all = new boolean[life.completionBytes.length];
        Arrays.fill(all, true);
        assertBlock("send", life.dump(life.sendBytes, life.written));
        assertBlock("completion", life.dump(life.completionBytes, all));
    }

    /// Compares the text between `<!-- NAME -->` and `<!-- end -->`.
    private static void assertBlock(String name, String dump) throws IOException {
        Path file = DOCS.resolve("rings.md");
        String page = Files.readString(file);
        String start = "<!-- " + name + " -->\n";
        int from = page.indexOf(start) + start.length();
        int to = page.indexOf("<!-- end -->", from);
        assertThat(from).isGreaterThan(start.length());
        String block = "```\n" + dump + "```\n";
        if (WRITES) {
            Files.writeString(file, page.substring(0, from) + block + page.substring(to));
        } else {
            assertThat(page.substring(from, to)).as("block '%s' of %s", name, file).isEqualTo(block);
        }
    }
}
