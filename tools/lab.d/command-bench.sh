# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Variables in capitals are shared between the parts.
# shellcheck disable=SC2034
# tools/lab bench: Java beside C, in one guest.

help_bench() {
    cat <<HELP
Usage: tools/lab bench [OPTION]…

Compares verbs4j with C in one guest: ping-pong, the eight tests of perftest over sizes of messages, and message rate by
work requests for a doorbell, queue pairs, and completion by events, with the processor time of each message. C's programs
are those of rdma-core and perftest, Java's the same commands of tools/verbs. In each round all cases run, C and Java by
turns; the two Java processes stay and are warmed up before. A run that hangs is stopped and counted
as failed, and the bench goes on.

Prints a table; leaves report.html with plots, rounds.csv, summary.json, table.md and ratios.svg in the results.

  --rounds N           rounds of each (default: 10)
  --sizes LIST         bytes of a message (default: 2,64,1024,65536,1048576)
  --tests LIST         only cases with one of these in their names, such as send-lat or rc-pingpong,write-bw (default: all)
  --quick              3 rounds of 64 and 65536 bytes
  --warm-up N          Java's operations before the first round (default: 160000, in three passes over all cases at least)
  --minutes N          begin no case after so many minutes (default: 45)
  --update             put table and plot into README.md, docs/performance.md and docs/images/ratios.svg
$GUEST_OPTIONS_HELP
HELP
}
command_bench() {
    local rounds=10 sizes=2,64,1024,65536,1048576 tests=all minutes=45 warm_up=160000 update='' timeout=''
    while (($# > 0)); do
        [[ $1 != --timeout* ]] || timeout=given
        guest_option "$@"
        if ((TAKEN > 0)); then
            shift "$TAKEN"
            continue
        fi
        case $1 in
            -h | --help)
                help_bench
                exit 0
                ;;
            --rounds) rounds=$(option_value "$1" "$@") && shift ;;
            --sizes) sizes=$(option_value "$1" "$@") && shift ;;
            --tests) tests=$(option_value "$1" "$@") && shift ;;
            --warm-up) warm_up=$(option_value "$1" "$@") && shift ;;
            --minutes) minutes=$(option_value "$1" "$@") && shift ;;
            --quick) rounds=3 sizes=64,65536 ;;
            --update) update=yes ;;
            *) die_usage "bench: unknown argument '$1'" ;;
        esac
        shift
    done
    require_number --rounds "$rounds"
    require_number --minutes "$minutes"
    require_number --warm-up "$warm_up"
    [[ $sizes =~ ^[1-9][0-9]*(,[1-9][0-9]*)*$ ]] || die_usage "bench: --sizes takes numbers with commas, not '$sizes'"
    [[ -n $tests && $tests != *[[:space:]]* ]] || die_usage "bench: --tests takes parts of names with commas"
    # After the last case that begins in time, and before the first: boot, warm-up, one run that hangs.
    [[ -n $timeout ]] || GUEST_TIMEOUT=$((minutes * 60 + 600))
    check_kernel_name "$GUEST_KERNEL"
    [[ -n $GUEST_DEVICES && -z $GUEST_HIDE_RDMA_CORE ]] || die_usage "bench needs the devices and rdma-core"
    ensure_packages_and_jdk
    ensure_built || exit 1
    run_guest "$LAB_HOME/lab.d/guest-bench" "$rounds" "$sizes" "$tests" "$minutes" "$warm_up"
    if ((GUEST_CODE == 0)); then
        printf '\n%s\n' "$(short_path "$RESULTS/report.html")"
        [[ -z $update ]] || update_pages
    fi
    exit "$GUEST_CODE"
}

# Puts the table and the plot into the pages, in place of those that are there.
update_pages() {
    cp -- "$RESULTS/ratios.svg" "$REPOSITORY/docs/images/ratios.svg"
    update_page "$REPOSITORY/docs/performance.md" < <(
        cat -- "$RESULTS/table.md"
        printf '\n![Ratio of Java to C for each case](images/ratios.svg)\n'
    )
    update_page "$REPOSITORY/README.md" < <(
        printf '![Ratio of Java to C for each case](docs/images/ratios.svg)\n\n<details><summary>All figures</summary>\n\n'
        cat -- "$RESULTS/table.md"
        printf '\n</details>\n'
    )
}

# update_page FILE: replaces what stands between the two marks by the standard input.
update_page() {
    awk '
        /<!-- end of bench -->/ { inside = 0 }
        !inside { print }
        /<!-- bench -->/ { inside = 1; while ((getline line <"/dev/stdin") > 0) print line }
    ' "$1" >"$RESULTS/page.md"
    mv -- "$RESULTS/page.md" "$1"
}
