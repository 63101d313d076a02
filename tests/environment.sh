# For tests that need packages from PyPI: sourced in the folder of the project.
#
# environment NAME VERSION MODULES PACKAGE...: makes $environment, a virtual environment in cargo's
# folder with a Python of at least this version, in which these modules can be imported. The first
# run needs the network. Then builds the library and the sandbox, and names them and both Python
# packages in the environment. PYTHON can name another Python.
target=${CARGO_TARGET_DIR:-$PWD/target}

# leave_out WHY: ends the test; with PAYORDER_TESTS_WANT_ALL that is a failure.
leave_out() {
    echo "SKIPPED: $0: $*" >&2
    [ -z "${PAYORDER_TESTS_WANT_ALL:-}" ] || exit 1
    exit 0
}

environment() {
    local python=${PYTHON:-python3} name=$1 version=$2 modules=$3
    shift 3
    environment=$target/$name
    "$python" -c "import ensurepip, sys, venv; sys.exit(sys.version_info < ($version))" \
        2>/dev/null || leave_out "$python is not a Python with venv from version $version on"
    if ! "$environment/bin/python" -c "import $modules" 2>/dev/null; then
        { "$python" -m venv --clear "$environment" &&
            "$environment/bin/pip" install -q --disable-pip-version-check "$@"; } ||
            leave_out "these could not be installed from PyPI: $*"
    fi
    bindings/generate python >/dev/null
    cargo build -q --locked --lib --example sandbox
    export PAYORDER_LIBRARY=$target/debug/libpayorder.so
    export PAYORDER_SANDBOX=$target/debug/examples/sandbox
    export PYTHONPATH=$PWD/bindings/python:$PWD/tools:$PWD/bindings/conformance
}
