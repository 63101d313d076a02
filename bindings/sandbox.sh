# Functions for the tests of the packages, which source this file. $work is a new folder, which is
# removed at the end.
set -euo pipefail
: "${PAYORDER_SANDBOX:?run bindings/test}"
work=$(mktemp -d)
sandbox=""
trap leave EXIT

leave() {
    # The sandbox, and the programs of a test that failed.
    local programs
    programs=$(jobs -p)
    [ -z "$programs" ] || kill $programs 2>/dev/null || true
    wait 2>/dev/null || true
    rm -rf "$work"
}

# begin_test TOOL...: exits with 77 if a tool is missing, and starts a sandbox.
begin_test() {
    local tool
    for tool in "$@" curl gcc python3; do command -v "$tool" >/dev/null || exit 77; done
    : "${PAYORDER_LIBRARY:?run bindings/test}"
    PAYORDER_LIBRARY=$(realpath "$PAYORDER_LIBRARY")
    export PAYORDER_LIBRARY
    start_sandbox
}

# start_sandbox: sets the settings of the samples. $work/sandbox.txt, which is SANDBOX_OUTPUT for
# tests, has a line for each request.
start_sandbox() {
    export SANDBOX_OUTPUT=$work/sandbox.txt
    : >"$work/sandbox.txt"
    "$PAYORDER_SANDBOX" --port 0 >>"$work/sandbox.txt" &
    sandbox=$!
    wait_until $sandbox grep -q 'listens at' "$work/sandbox.txt"
    PAYORDER_BASE_URL=$(sed -n 's/.* listens at \(http[^ ]*\).*/\1/p' "$work/sandbox.txt")
    export PAYORDER_BASE_URL PAYORDER_ACCESS_TOKEN=sandbox-access-token
    export PAYORDER_CLIENT_KEY=sandbox-client-key PAYORDER_CLIENT_ID=sandbox-client-id
    export PAYORDER_SECRET_KEY=sandbox-secret-key no_proxy='*'
}

# fault [RULE]: the sandbox has this fault from now on too; without one, it has none.
fault() {
    if [ $# = 0 ]; then set -- -X DELETE; else set -- -d "{\"rule\":\"$1\"}"; fi
    curl -sSf -o "$work/rules.json" "$PAYORDER_BASE_URL/sandbox/faults" "$@"
}

# wait_until PROGRAM COMMAND...: waits until the command succeeds. It is a failure if the program
# ends before, or if it takes more than a minute.
wait_until() {
    local program=$1 running=yes deadline=$((SECONDS + 60))
    shift
    until "$@"; do
        if [ "$running" = no ] || [ $SECONDS -ge $deadline ]; then
            printf 'this never succeeded: %s\n' "$*" >&2
            show_output
            exit 1
        fi
        # A program that has ended gets one more look at what it did.
        kill -0 "$program" 2>/dev/null || running=no
        sleep 0.05
    done
}

# The output of the program that a test looks at.
output=$work/output.txt
show_output() { [ ! -e "$output" ] || sed 's/^/    /' "$output" >&2; }

# expect PATTERN...: the output has a line for each of these extended regular expressions.
expect() {
    local pattern
    for pattern in "$@"; do
        grep -qE -e "$pattern" "$output" && continue
        printf 'no line matches "%s" in this output:\n' "$pattern" >&2
        show_output
        exit 1
    done
}

# fails COMMAND...: runs a command, which must fail, and puts what it prints into the output. (With
# `set -e`, `! command` stops no script.)
fails() {
    if "$@" >"$output" 2>&1; then
        printf 'this did not fail: %s\n' "$*" >&2
        show_output
        exit 1
    fi
}

# snippets LANGUAGE [DOCUMENT]: the code of the README in that language, which is one program.
snippets() { sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/p" "${2:-README.md}" | grep -v '^```'; }

# The guide whose program in each of some languages counts a call, and sends its trace.
telemetry=../../docs/guides/telemetry.md

# run_telemetry COMMAND...: runs that program.
run_telemetry() {
    "$@" >"$output" 2>&1 || { show_output && exit 1; }
    expect '^payment_calls_total\{operation="get_status",result="PAYORDER_REJECTED"\} 1$'
    curl -sS "$PAYORDER_BASE_URL/sandbox/requests" >"$output"
    expect '"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"'
}

# checkout_url: the first one in the output.
checkout_url() { grep -oE 'http[^ ]*/checkout/[0-9]+' "$output" | head -n 1; }

# press BUTTON URL: what the customer does on the checkout page.
press() { curl -sS -X POST -o "$work/page.html" "$2/$1"; }

# asked_since_it_failed URL: whether a program has seen that the payment failed.
asked_since_it_failed() { sed "1,\\|/${1##*/}/fail |d" "$work/sandbox.txt" | grep -q GetStatus; }

# run_paying COMMAND...: runs a program to its end, and pays for the order whose URL it prints. The
# customer's first attempt fails, which is not the end of the order.
run_paying() {
    local program url
    : >"$output"
    timeout -k 5 100 "$@" >>"$output" 2>&1 &
    program=$!
    wait_until $program grep -qE '/checkout/[0-9]+' "$output"
    url=$(checkout_url)
    press fail "$url"
    wait_until $program asked_since_it_failed "$url"
    press pay "$url"
    wait $program || {
        show_output
        exit 1
    }
}

# run_alive COMMAND...: the sample of a till with one thread, which takes the number of an order and
# prints a line `clock` about every 100 ms: also while its order is sent, and while the customer pays.
run_alive() {
    local program
    fault 'create:1:slow=500'
    run_paying "$@" 21
    expect '^paid$'
    awk '/^pay at/ { paying = 1 } /^clock/ { ticks[paying + 0]++ }
        END { exit !(ticks[0] >= 3 && ticks[1] >= 2) }' "$output" || { show_output && exit 1; }

    # The answer is lost.
    fault
    fault 'create:1:drop-after-commit'
    : >"$output"
    timeout -k 5 100 "$@" 22 >>"$output" 2>&1 &
    program=$!
    wait_until $program grep -q '^the order exists: Pending' "$output"
    curl -sS -X POST -o "$work/page.html" "$PAYORDER_BASE_URL/sandbox/orders/O-22/pay"
    wait $program || { show_output && exit 1; }
    expect '^paid$'

    # The order may be another sale's.
    fault
    "$@" 21 >"$output" 2>&1
    expect '^call a person'
    if grep -E '^(pay at|the order exists|paid)' "$output"; then exit 1; fi
    # An unusable response has the page.
    fault 'create:1:refused-with-url'
    run_paying "$@" 23
    expect '^the order exists: Pending' '^paid$'
    # A duplicate has it too.
    fault
    export PAYORDER_JOURNAL=$work/alive.db
    PAYORDER_SECRET_KEY=wrong "$@" 24 >"$output" 2>&1
    run_paying "$@" 24
    expect use_previous '^paid$'
    unset PAYORDER_JOURNAL
}

# restart_paid_and_settled RESTART: the sample of a till whose journal has an order as paid, and one
# that a person closed. It takes the number of an order and a journal, and shows no page for either.
restart_paid_and_settled() {
    "$1" 4 "$work/closed.db" >"$output"
    press pay "$(checkout_url)"
    "$1" 5 "$work/closed.db" >"$output"
    PYTHONPATH=../python:../../tools python3 -m payorder journal settle 2 --note "paid in cash" \
        --journal "$work/closed.db" >"$output"
    for number in 4 5; do
        "$1" $number "$work/closed.db" >"$output"
        expect "$([ $number = 4 ] && echo Completed || echo settled)"
        [ -z "$(checkout_url)" ] || { show_output && exit 1; }
    done
}

# kill_after_sending ORDER_ID COMMAND...: runs a program, and kills it when the sandbox has its
# order.
kill_after_sending() {
    local order=$1 program
    shift
    : >"$output"
    "$@" >>"$output" 2>&1 &
    program=$!
    wait_until $program grep -q "CreateOrder.* order $order\$" "$work/sandbox.txt"
    kill -9 $program
    wait $program 2>/dev/null || true
}
