"""Sales in web servers as merchants run them: hosts.py [HOST...]."""

import concurrent.futures
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Callable, Dict, List

from payorder_tools.testing import Sandbox

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parents[1]
PHP = PROJECT / "bindings" / "php"
LIBRARY = os.environ["PAYORDER_LIBRARY"]
ORDER = {
    "amount": "249.50",
    "payMode": "all",
    "merchantId": "M-1",
    "productInfo": "Two coffees",
    "customerName": "Asha",
    "customerMobile": "9000000000",
    "customerEmail": "a@example.com",
    "redirectionURL": "https://shop.example/return",
    "currencyCode": "INR",
}
#: Seconds.
PATIENCE = 60


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


class Host:
    """A web server with the page that sells, in a folder of its own."""

    def __init__(self, folder: Path, variables: Dict[str, str]) -> None:
        self.folder, self.variables, self.port = folder, variables, free_port()
        self.programs: List["subprocess.Popen[bytes]"] = []

    def write(self, name: str, text: str) -> str:
        path = self.folder / name
        path.write_text(
            text.replace("{folder}", str(self.folder)).replace("{port}", str(self.port))
        )
        return str(path)

    def start(self, *command: str, **more: str) -> None:
        environment = {**os.environ, **self.variables, **more}
        with open(self.folder / "output.txt", "ab") as output:
            self.programs.append(
                subprocess.Popen(
                    command,
                    cwd=self.folder,
                    env=environment,
                    stdout=output,
                    stderr=output,
                    # Apache ends its whole process group.
                    start_new_session=True,
                )
            )

    def reload(self, sign: int, program: int = 0) -> None:
        self.programs[program].send_signal(sign)

    def page(self, order: str) -> str:
        url = f"http://127.0.0.1:{self.port}/sale.php?order={order}"
        with urllib.request.urlopen(url, timeout=PATIENCE) as response:
            return str(response.read().decode())

    def end(self) -> str:
        for program in self.programs:
            program.send_signal(signal.SIGTERM)
        for program in self.programs:
            program.wait(PATIENCE)
        return (self.folder / "output.txt").read_text(errors="replace")


def until(holds: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline, what
        time.sleep(0.02)


NGINX = """
daemon off; pid {folder}/nginx.pid; error_log stderr; user root; worker_processes 2;
%s
events {}
http {
    access_log off;
    client_body_temp_path {folder}/body; fastcgi_temp_path {folder}/fastcgi;
    proxy_temp_path {folder}/proxy; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    %s
    server { listen 127.0.0.1:{port}; location / { %s } }
}
"""


def nginx(host: Host, main: str, http: str, location: str) -> None:
    host.start(
        "nginx", "-e", "stderr", "-c", host.write("nginx.conf", NGINX % (main, http, location))
    )


def fpm(host: Host, settings: str = "", ini: str = "") -> None:
    pool = "".join(f"env[{name}] = '{value}'\n" for name, value in host.variables.items())
    host.write("fpm.ini", ini)
    host.write(
        "fpm.conf",
        "[global]\nerror_log = /dev/stderr\npid = {folder}/fpm.pid\nprocess_control_timeout = 30\n"
        "[www]\nuser = root\ngroup = root\nlisten = {folder}/fpm.sock\npm = static\n"
        f"pm.max_children = 8\n{settings}\n{pool}",
    )
    program = shutil.which("php-fpm8.2") or shutil.which("php-fpm") or "php-fpm"
    folder = str(host.folder)
    host.start(program, "-F", "-R", "-c", f"{folder}/fpm.ini", "-y", f"{folder}/fpm.conf")
    until(lambda: Path(folder, "fpm.sock").exists(), "PHP-FPM starts")
    nginx(
        host,
        "",
        "",
        f"include /etc/nginx/fastcgi_params; fastcgi_param SCRIPT_FILENAME {HERE}/sale.php;"
        " fastcgi_pass unix:{folder}/fpm.sock;",
    )


PRELOAD = (
    f"zend_extension = opcache\nopcache.preload = {PHP}/preload.php\nopcache.preload_user = root\n"
)


def php_fpm_package_preloaded(host: Host) -> None:
    fpm(host, ini=PRELOAD)


def php_fpm_preloaded(host: Host) -> None:
    header = f"require '{PHP}/autoload.php'; echo Payorder\\Native::header('{LIBRARY}');"
    host.write("payorder.cdef", subprocess.check_output(["php", "-r", header]).decode())
    fpm(
        host,
        ini=f"ffi.enable = preload\nffi.preload = {host.folder}/payorder.cdef\n{PRELOAD}",
    )


def php_fpm_enabled(host: Host) -> None:
    fpm(host, settings="php_admin_value[ffi.enable] = true")


def php_apache(host: Host) -> None:
    passed = "".join(f"SetEnv {name} '{value}'\n" for name, value in host.variables.items())
    modules = "/usr/lib/apache2/modules"
    php = next(Path(modules).glob("libphp*.so"))
    loaded = {
        "mpm_prefork": "mod_mpm_prefork.so",
        "authz_core": "mod_authz_core.so",
        "env": "mod_env.so",
    }
    host.write(
        "apache.conf",
        "".join(f"LoadModule {name}_module {modules}/{file}\n" for name, file in loaded.items())
        + f"LoadModule php_module {php}\nServerName localhost\nPidFile {{folder}}/apache.pid\n"
        "Listen 127.0.0.1:{port}\nErrorLog {folder}/output.txt\nUser www-data\nGroup www-data\n"
        f"DocumentRoot {HERE}\n<Directory {HERE}>\nRequire all granted\n</Directory>\n"
        "<FilesMatch php$>\nSetHandler application/x-httpd-php\n</FilesMatch>\n"
        f"php_admin_value ffi.enable true\n{passed}",
    )
    # Apache does not serve pages as root.
    shutil.chown(host.folder, "www-data")
    host.start("apache2", "-D", "FOREGROUND", "-f", f"{host.folder}/apache.conf")


def php_built_in(host: Host) -> None:
    host.start(
        *f"php -d ffi.enable=true -S 127.0.0.1:{host.port} -t {HERE}".split(),
        PHP_CLI_SERVER_WORKERS="4",
    )


def ruby_puma(host: Host) -> None:
    host.start(
        *f"puma -w 2 -t 4:4 -b tcp://127.0.0.1:{host.port} {HERE}/config.ru".split(),
        RUBYLIB=str(PROJECT / "bindings" / "ruby" / "lib"),
    )


def perl_starman(host: Host) -> None:
    host.start(
        *f"starman --workers 4 --listen 127.0.0.1:{host.port} {HERE}/app.psgi".split(),
        PERL5LIB=str(PROJECT / "bindings" / "perl" / "lib"),
    )


def perl_mojolicious(host: Host) -> None:
    host.start(
        *f"perl {HERE}/mojo.pl daemon -l http://127.0.0.1:{host.port}".split(),
        PERL5LIB=str(PROJECT / "bindings" / "perl" / "lib"),
    )


def lua_nginx(host: Host) -> None:
    lua = PROJECT / "bindings" / "lua"
    readme = (lua / "README.md").read_text(encoding="utf-8")
    found = re.search(r"^```text\n(-- sale\.lua.*?)^```", readme, re.M | re.S)
    assert found, "the README has sale.lua"
    host.write("sale.lua", found[1])
    modules = "/usr/lib/nginx/modules"
    nginx(
        host,
        f"load_module {modules}/ndk_http_module.so; load_module {modules}/ngx_http_lua_module.so;"
        + "".join(f" env {name};" for name in host.variables),
        f'lua_package_path "{{folder}}/?.lua;{lua}/?.lua;/usr/share/lua/5.1/?.lua;;";',
        f"content_by_lua_file {HERE}/sale_page.lua;",
    )


#: How each host is started, and which signal of its main program reloads it, if one does.
HOSTS = {
    "PHP-FPM behind nginx, preloaded": (php_fpm_preloaded, signal.SIGUSR2),
    "PHP-FPM behind nginx, the package preloaded": (php_fpm_package_preloaded, signal.SIGUSR2),
    "PHP-FPM behind nginx, ffi.enable in the pool": (php_fpm_enabled, signal.SIGUSR2),
    "Apache with PHP": (php_apache, signal.SIGUSR1),
    "php -S": (php_built_in, None),
    "Puma": (ruby_puma, signal.SIGUSR1),
    "Starman": (perl_starman, signal.SIGHUP),
    "Mojolicious": (perl_mojolicious, None),
    "nginx with Lua": (lua_nginx, signal.SIGHUP),
}


def sell(name: str) -> None:
    begin, reload = HOSTS[name]
    with tempfile.TemporaryDirectory() as folder, Sandbox() as sandbox:
        variables = {
            **sandbox.environment(),
            "PAYORDER_LIBRARY": LIBRARY,
            "PAYORDER_JOURNAL": f"{folder}/orders.db",
            "PAYORDER_PHP": f"{PHP}/autoload.php",
            "ORDER": json.dumps(ORDER),
        }
        host = Host(Path(folder), variables)
        try:
            begin(host)

            def answers() -> bool:
                assert all(one.poll() is None for one in host.programs), "a program has ended"
                with socket.socket() as one:
                    return one.connect_ex(("127.0.0.1", host.port)) == 0

            until(answers, "the host answers")
            assert host.page("A-1").startswith("http"), host.page("A-1")
            with concurrent.futures.ThreadPoolExecutor(8) as customers:
                # Many customers, and every one of them clicks twice.
                pages = list(customers.map(host.page, [f"B-{n // 2}" for n in range(40)]))
                assert sum(page.startswith("http") for page in pages) == 20, pages
                assert sum("duplicate" in page.lower() for page in pages) == 20, pages
                sandbox.fault("create:*:drop-after-commit")
                lost = host.page("C-1")
                assert re.search("(?i)connection_?lost|bad_?response", lost), lost
                sandbox.clear_faults()
                if reload:
                    sandbox.fault("create:*:slow=1500")
                    late = customers.submit(host.page, "D-1")
                    until(lambda: any("D-1" in str(one.body) for one in sandbox.requests()), "D-1")
                    host.reload(reload)
                    assert late.result().startswith("http"), late.result()
                    sandbox.clear_faults()

                    def sells_again() -> bool:
                        try:
                            return host.page("E-1").startswith("http")
                        except ConnectionError:
                            # A worker of Starman that has just accepted it, and ends.
                            return False

                    until(sells_again, "it sells after the reload")
            counts = {one.order_id: one.create_requests for one in sandbox.orders()}
            assert set(counts.values()) == {1} and len(counts) == (24 if reload else 22), counts
        except BaseException:
            print(host.end())
            raise
        host.end()


def main() -> None:
    for name in sys.argv[1:] or list(HOSTS):
        sell(name)
        print(f"{name}: every order was sent once", flush=True)


main()
