"""A till, a sandbox and a phone on three machines, which are namespaces of the network."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from typing import Any, List
from urllib.parse import urlsplit

from playwright.sync_api import Error, Page

from .pages import PAY, PHONE, BrowserTestCase

ADDRESS = "10.77.0.1"
#: The key of the sandbox's certificate, as Chromium's switch names it. OpenSSL verifies it with the
#: authority, because Chromium trusts no authority that is not installed for the whole user.
_KEY = (
    "ip netns exec {machine} openssl s_client -connect {authority} -CAfile {ca_file}"
    " -verify_return_error -verify_ip {address} </dev/null | openssl x509 -pubkey -noout"
    " | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | openssl base64"
)


def ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, stderr=subprocess.PIPE)


def allowed(*arguments: str) -> None:
    """Leaves the test out if this machine does not allow what the arguments make."""
    try:
        ip(*arguments)
    except subprocess.CalledProcessError as refused:
        raise unittest.SkipTest(f"not allowed here: {refused.cmd}: {refused.stderr!r}")


def on(machine: str, *command: str, **given: Any) -> "subprocess.Popen[str]":
    return subprocess.Popen(["ip", "netns", "exec", machine, *command], text=True, **given)


class Machines(BrowserTestCase):
    @classmethod
    def setUpClass(cls) -> None:
        for tool in ("ip", "openssl"):
            if not shutil.which(tool) and not os.environ.get("PAYORDER_TESTS_WANT_ALL"):
                raise unittest.SkipTest(f"{tool} is missing")
        names = ("sandbox", "till", "phone")
        cls.machine = {name: f"payorder-{os.getpid()}-{name}" for name in names}
        for machine in cls.machine.values():
            allowed("netns", "add", machine)
            cls.addClassCleanup(ip, "netns", "del", machine)
            ip("-n", machine, "link", "set", "lo", "up")
        sandbox = cls.machine["sandbox"]
        allowed("-n", sandbox, "link", "add", "bridge", "type", "bridge")
        ip("-n", sandbox, "addr", "add", f"{ADDRESS}/24", "dev", "bridge")
        ip("-n", sandbox, "link", "set", "bridge", "up")
        for number, name in ((2, "till"), (3, "phone")):
            machine = cls.machine[name]
            allowed("-n", machine, "link", "add", "net", "type", "veth",
               "peer", "name", name, "netns", sandbox)  # fmt: skip
            ip("-n", sandbox, "link", "set", name, "master", "bridge", "up")
            ip("-n", machine, "addr", "add", f"10.77.0.{number}/24", "dev", "net")
            ip("-n", machine, "link", "set", "net", "up")

        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = Path(temporary.name)
        command = [sys.executable, "-m", "payorder", "sandbox", "--json"]
        command += ["--listen", ADDRESS, "--tls"]
        output = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        started = on(sandbox, *command, **output)
        cls.addClassCleanup(started.communicate)
        cls.addClassCleanup(started.terminate)
        assert started.stdout is not None and started.stderr is not None
        cls.config = json.loads(started.stdout.readline())
        cls.own_page = started.stderr.readline().split()[-1]
        command_of_key = _KEY.format(
            machine=cls.machine["phone"],
            authority=cls.config["baseUrl"][len("https://") :],
            ca_file=cls.config["tls"]["caFile"],
            address=ADDRESS,
        )
        key = subprocess.check_output(
            ["bash", "-o", "pipefail", "-c", command_of_key], stderr=subprocess.PIPE, text=True
        )
        cls.chromium = cls.script("phone", f"chromium --ignore-certificate-errors-spki-list={key}")
        cls.arguments = ["--no-sandbox", "--no-proxy-server"]
        super().setUpClass()

    @classmethod
    def script(cls, machine: str, command: str) -> str:
        """The path of a program that runs the command on this machine."""
        path = cls.folder / machine
        run = f'#!/bin/sh\nexec ip netns exec {cls.machine[machine]} {command.strip()} "$@"\n'
        path.write_text(run, encoding="utf-8")
        path.chmod(0o700)
        return str(path)

    def till(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        settings = self.folder / "config.json"
        settings.write_text(json.dumps(self.config), encoding="utf-8")
        settings.chmod(0o600)
        till = self.script("till", f"{sys.executable} -m payorder")
        command: List[str] = [till, *arguments, "--config", str(settings)]
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def open(self, page: Page, url: str) -> None:
        """Opens a page. A browser gives up if an address of the machine changes meanwhile, as those
        of IPv6 do for some seconds after an interface is there."""
        for left in reversed(range(5)):
            try:
                page.goto(url)
                return
            except Error as error:
                if "ERR_NETWORK_CHANGED" not in str(error) or not left:
                    raise
                time.sleep(1)

    def test_a_machine_without_a_route_is_told_to_name_its_address(self) -> None:
        quiet = [sys.executable, "-m", "payorder", "sandbox", "--quiet", "--listen"]
        for address, told in (("0.0.0.0", ("127.0.0.1", True)), (ADDRESS, (ADDRESS, False))):
            both = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
            started = on(self.machine["sandbox"], *quiet, address, **both)
            assert started.stdout is not None
            url = started.stdout.readline()
            started.terminate()
            _, said = started.communicate()
            self.assertEqual((urlsplit(url).hostname, "with --listen ADDRESS" in said), told, said)

    def test_a_phone_pays_the_order_of_a_till_through_tls(self) -> None:
        base_url = self.config["baseUrl"]
        self.assertTrue(base_url.startswith(f"https://{ADDRESS}:"), base_url)
        order = self.folder / "order.json"
        fields = {
            "amount": "249.50", "orderId": "O-1", "merchantTxnId": "T-1", "payMode": "all",
            "merchantId": "M-1", "productInfo": "Tea", "customerName": "Asha Rao",
            "customerMobile": "9000000001", "customerEmail": "asha@example.com",
            "redirectionURL": f"{base_url}/shop/return", "currencyCode": "INR",
        }  # fmt: skip
        order.write_text(json.dumps(fields), encoding="utf-8")
        created = self.till("create", str(order), "--quiet")
        self.assertEqual(created.returncode, 0, created.stdout)
        url = created.stdout.strip()

        page = self.tab(**PHONE)
        self.open(page, url)
        self.check_width(page, PHONE)
        page.get_by_role("button", name=PAY).click()
        page.wait_for_url(f"{base_url}/shop/return?txn=*")
        paid = self.till("status", "O-1", "--amount", "249.50", "--quiet")
        self.assertEqual((paid.returncode, paid.stdout), (0, "Completed\n"))

        # The sandbox's own page, without its secret, with a wrong one and with the right one.
        self.open(page, base_url)
        secret = page.get_by_label("Secret")
        secret.fill("0" * 32)
        secret.press("Enter")
        page.get_by_role("alert").filter(has_text="The secret is wrong").wait_for()
        self.assertFalse(page.locator("main").is_visible())
        secret.fill(self.own_page)
        secret.press("Enter")
        page.get_by_text("Paid", exact=True).wait_for()
        opened = self.tab(**PHONE)
        opened.goto(self.own_page)
        opened.get_by_text("Paid", exact=True).wait_for()
        # With the fingerprint of the authority, which is long.
        opened.locator("#trust").filter(has_text="SHA-256").wait_for(state="attached")
        self.check_width(opened, PHONE)
        # Nobody who reads the browser's history learns the secret.
        self.assertEqual(opened.url, f"{base_url}/")
        opened.locator("#requests li").filter(has_text="at 10.77.0.2").first.wait_for()
