# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Builds the project with Maven when something has changed since the last build. Needs REPOSITORY and lib/jdk.sh; uses
# the lab's progress lines where they are loaded.

build_progress() {
    if declare -F progress >/dev/null; then progress "$@"; else printf '%s\n' "$*" >&2; fi
}

# Newer than the last good build: a source, a resource, a pom, or a folder of them (something was added or deleted).
needs_build() {
    local stamp=$REPOSITORY/target/.built jar newer
    # Maven started by hand leaves no stamp: then what is older than the oldest jar is built.
    jar=$(find "$REPOSITORY"/{tests/target/dist/lib,bundle/target} -maxdepth 1 -name 'verbs4j-*.jar' -printf '%T@ %p\n' 2>/dev/null |
        sort -n | sed -n '1s/^[^ ]* //p')
    [[ -z $jar || $stamp -nt $jar ]] || stamp=$jar
    [[ -e $stamp ]] || return 0
    compgen -G "$REPOSITORY/tools/target/dist/lib/*.jar" >/dev/null || return 0
    compgen -G "$REPOSITORY/tests/target/dist/lib/*.jar" >/dev/null || return 0
    newer=$(find "$REPOSITORY" \( -name target -o -name '.*' ! -path "$REPOSITORY" ! -name .mvn \) -prune -o \
        \( -name pom.xml -o -path "$REPOSITORY/*/src*" -o -path "$REPOSITORY/docs/course/*.java" -o -path "$REPOSITORY/config/*" -o -path '*/.mvn/*' \) \
        -newer "$stamp" -print -quit)
    [[ -n $newer ]]
}

# ensure_built: builds without running tests, if needed. Fails when the build does.
ensure_built() {
    needs_build || return 0
    local lock status=0
    mkdir -p -- "$REPOSITORY/target"
    # Two labs started at once must not build into the same folders. The tests of tools/lab test hold this lock, too.
    exec {lock}>"$REPOSITORY/target/.build-lock"
    flock -n "$lock" || { build_progress "waiting for another build" && flock "$lock"; }
    ! needs_build || run_maven "$REPOSITORY/target/build.log" -DskipTests package || status=1
    exec {lock}>&-
    return "$status"
}

# run_maven LOG ARGUMENT…: runs Maven on a JDK 25 in the repository, its output in LOG and module names as progress.
# A run that reached the end of `package` or `verify` leaves the stamp that says so.
run_maven() {
    local log=$1 stamp=$REPOSITORY/target/.built maven line status=0
    shift
    find_jdk || {
        explain_missing_jdk
        return 1
    }
    maven=$(find_maven)
    mkdir -p -- "$REPOSITORY/target"
    # "[INFO] Building verbs4j command line 0.1.0-SNAPSHOT    [6/7]", "[INFO] --- maven-surefire-plugin:3.5.4:test (…"
    local module_line='^\[INFO\] Building (.*[^ ]) +[^ ]+ +(\[[0-9]+/[0-9]+\])$'
    local tests_line='^\[INFO\] --- (maven-)?surefire[^:]*:[^:]*:test '
    # Dated before the build starts: what is edited while it runs makes the next one necessary.
    : >"$stamp.new"
    build_progress "building with JDK ${JDK_HOME##*/} (log: ${log#"$REPOSITORY"/}; the first time downloads what is missing)"
    # Maven reads no input; -B and -ntp keep its log free of colours and download bars.
    (cd -- "$REPOSITORY" && JAVA_HOME=$JDK_HOME exec "$maven" -B -ntp "$@") </dev/null 2>&1 |
        tee -- "$log" | while IFS= read -r line; do
            if [[ $line =~ $module_line ]]; then
                build_progress "  ${BASH_REMATCH[2]} ${BASH_REMATCH[1]}"
            elif [[ $line =~ $tests_line && " $* " != *' -DskipTests '* ]]; then
                build_progress "        running tests"
            fi
        done || status=1
    if ((status != 0)); then
        rm -f -- "$stamp.new"
        {
            printf 'the build failed (all it says is in %s):\n' "${log#"$REPOSITORY"/}"
            # What the compiler says of a file (warnings count as errors), then the first errors; not Maven's advice.
            grep -m 10 -E '^\[WARNING\] /' -- "$log" || true
            grep -m 20 -E '^\[ERROR\] ([^[T]|Tests)' -- "$log" || tail -n 20 -- "$log"
        } >&2
        return 1
    fi
    if [[ " $* " =~ \ (package|verify)\  ]]; then mv -- "$stamp.new" "$stamp"; else rm -f -- "$stamp.new"; fi
}

# find_maven: prints the mvn to use, or else the repository's mvnw, which downloads Maven.
find_maven() {
    command -v mvn || printf '%s\n' "$REPOSITORY/mvnw"
}
