# Sourced by run and counts: installs missing tools on Debian.

missing=()
want() { # COMMAND PACKAGE...
    command -v "$1" >/dev/null 2>&1 || missing+=("${@:2}")
}
want_header() { # HEADER PACKAGE
    echo "#include <$1>" | cc -E - >/dev/null 2>&1 || missing+=("$2")
}
install_missing() {
    [ ${#missing[@]} -gt 0 ] || return 0
    echo "installing with apt-get: ${missing[*]}" >&2
    local sudo=""
    [ "$(id -u)" = 0 ] || sudo=sudo
    $sudo apt-get update -q >&2
    $sudo apt-get install -y -q --no-install-recommends "${missing[@]}" >&2
    missing=()
}
