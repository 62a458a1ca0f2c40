// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.bench;

import io.verbs4j.bench.CaseResults.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/// Reports several boots as one: the median over boots of each boot's median, because the rounds of one boot share the
/// locations of all pages and threads.
///
/// Arguments: `RESULTS_FOLDER KERNEL SIZES BOOT_FOLDER…`. Each boot's folder contains `rounds.csv`.
final class Boots {
    private Boots() {}

    static void main(String[] arguments) throws IOException {
        List<Integer> sizes = Arrays.stream(arguments[2].split(",")).map(Integer::valueOf).toList();
        List<Path> boots = Arrays.stream(arguments).skip(3).map(Path::of).toList();
        var all = new LinkedHashMap<String, CaseResults>();
        Case.all(sizes).forEach(each -> all.put(each.name(), new CaseResults(each)));
        for (int boot = 0; boot < boots.size(); boot++) {
            int number = boot + 1;
            rounds(boots.get(boot)).forEach((name, rows) -> all.get(name).add(median(number, rows)));
        }
        Path folder = Path.of(arguments[0]);
        BenchReport.ofBoots(List.copyOf(all.values()), arguments[1]).write(folder);
        System.out.print(Files.readString(folder.resolve("table.txt")));
    }

    /// Returns the rounds of each case in which both came to the end.
    private static Map<String, List<Row>> rounds(Path boot) throws IOException {
        var rounds = new LinkedHashMap<String, List<Row>>();
        for (String line : Files.readAllLines(boot.resolve("rounds.csv")).stream().skip(1).toList()) {
            String[] cells = line.split(",");
            var row = new Row(Integer.parseInt(cells[2]), Double.parseDouble(cells[3]), Double.parseDouble(cells[4]),
                    Double.parseDouble(cells[5]), Double.parseDouble(cells[6]));
            if (row.c() > 0 && row.java() > 0) {
                rounds.computeIfAbsent(cells[0], _ -> new ArrayList<>()).add(row);
            }
        }
        return rounds;
    }

    private static Row median(int boot, List<Row> rows) {
        ToDoubleFunction<ToDoubleFunction<Row>> of = figure -> BenchReport.quantile(rows, figure, 0.5);
        return new Row(boot, of.applyAsDouble(Row::c), of.applyAsDouble(Row::java), of.applyAsDouble(Row::cProcessor),
                of.applyAsDouble(Row::javaProcessor));
    }
}
