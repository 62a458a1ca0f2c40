# SPDX-License-Identifier: Apache-2.0
# Sums up JUnit XML reports (of Surefire, and of JUnit's console launcher): prints one line
#     COUNTS passed failed skipped seconds
# and for each failed test a line
#     FAILED class#method
function attribute(name,    text) {
    if (!match($0, " " name "=\"[^\"]*\"")) return ""
    text = substr($0, RSTART, RLENGTH)
    sub(/^[^"]*"/, "", text)
    sub(/"$/, "", text)
    return text
}
function plain(text) {
    gsub(/&lt;/, "<", text); gsub(/&gt;/, ">", text); gsub(/&quot;/, "\"", text); gsub(/&apos;/, "'", text)
    gsub(/&#10;/, " ", text); gsub(/&amp;/, "\\&", text)
    return text
}
# Output and messages of tests are in CDATA sections, and may hold anything.
cdata { if (/\]\]>/) cdata = 0; next }
/<testsuite / { seconds = attribute("time"); gsub(/,/, "", seconds); total += seconds }
# Counted one by one: some versions of Surefire write wrong sums for nested classes.
/<testcase / {
    tests++
    case_name = plain(attribute("name")); class_name = attribute("classname")
    sub(/\(\)$/, "", case_name)
    open_case = 1
}
open_case && /<skipped[ >\/]/ { skipped++; open_case = 0 }
open_case && /<(failure|error)[ >\/]/ { failed++; print "FAILED " class_name "#" case_name; open_case = 0 }
/<!\[CDATA\[/ { rest = $0; sub(/.*<!\[CDATA\[/, "", rest); if (rest !~ /\]\]>/) cdata = 1 }
END { printf "COUNTS %d %d %d %.1f\n", tests - failed - skipped, failed, skipped, total }
