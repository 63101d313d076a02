"""Chromium without a window, and the contents of its tabs."""

from __future__ import annotations

import base64
import json
import shutil
import tempfile
from typing import Any, Callable, Dict, List, Optional, Tuple

from selenium import webdriver
from selenium.common.exceptions import TimeoutException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

#: Width, height, device pixels for each of these pixels, and whether it is a phone.
Screen = Tuple[int, int, float, bool]
DESKTOP: Screen = (1280, 800, 1, False)
PHONE: Screen = (390, 844, 1.5, True)
SMALL_PHONE: Screen = (360, 640, 2, True)

_ARGUMENTS = (
    "--headless=new",
    # Chromium's own sandbox does not work in a container or as root. These tests open only pages
    # of this project.
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-proxy-server",
    "--hide-scrollbars",
    # No other host name is found.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
)
_PATIENCE = 30


class Chromium:
    """A browser with its own empty profile; `quit` ends it."""

    def __init__(self) -> None:
        self._profile = tempfile.TemporaryDirectory(
            prefix="payorder-chromium-", ignore_cleanup_errors=True
        )
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium") or ""
        for argument in (*_ARGUMENTS, f"--user-data-dir={self._profile.name}"):
            options.add_argument(argument)
        options.set_capability(
            "goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"}
        )
        # With both programs given, selenium downloads none.
        self.driver = webdriver.Chrome(
            options=options, service=Service(shutil.which("chromedriver"))
        )
        self.driver.set_page_load_timeout(_PATIENCE)

    def quit(self) -> None:
        self.driver.quit()
        self._profile.cleanup()

    # Tabs

    def new_tab(self) -> str:
        self.driver.switch_to.new_window("tab")
        return self.driver.current_window_handle

    def show_tab(self, tab: str) -> None:
        self.driver.switch_to.window(tab)

    def close_tabs(self) -> None:
        """Closes all tabs but one, which is then empty."""
        first, *others = self.driver.window_handles
        for tab in others:
            self.driver.switch_to.window(tab)
            self.driver.close()
        self.driver.switch_to.window(first)
        self.driver.get("about:blank")

    # Actions of a person

    def open(self, address: str) -> None:
        self.driver.get(address)

    def reload(self) -> None:
        self.driver.refresh()

    def back(self) -> None:
        self.driver.back()

    def press(self, name: str) -> None:
        self._named(name).click()

    def double_click(self, name: str) -> None:
        ActionChains(self.driver).double_click(self._named(name)).perform()

    def key(self, key: str) -> None:
        ActionChains(self.driver).send_keys(key).perform()

    def tab_stops(self, most: int = 20) -> List[Dict[str, str]]:
        """The elements that the Tab key reaches, from the start of the page: names and outlines."""
        stops: List[Dict[str, str]] = []
        while len(stops) < most:
            self.key(Keys.TAB)
            stop = self.focus()
            if stop is None:
                return stops
            stops.append(stop)
        raise AssertionError(f"the Tab key does not leave the page: {stops}")

    # The contents of a page

    @property
    def address(self) -> str:
        return self.driver.current_url

    @property
    def title(self) -> str:
        return self.driver.title

    @property
    def text(self) -> str:
        shown: str = self.run("return document.body ? document.body.innerText : ''")
        return shown

    def buttons(self) -> List[str]:
        return [button.text for button in self._buttons()]

    def focus(self) -> Optional[Dict[str, str]]:
        focused: Optional[Dict[str, str]] = self.run(
            """
            const at = document.activeElement;
            if (!at || at === document.body || at === document.documentElement) return null;
            const style = getComputedStyle(at);
            const name = at.labels && at.labels.length ? at.labels[0].innerText : at.innerText;
            return {name: name.trim(), outline: style.outlineStyle === 'none' ? '0px' : style.outlineWidth};
            """
        )
        return focused

    def wait_for_address(self, beginning: str) -> str:
        self._wait_until(
            lambda: self.address.startswith(beginning), f"no page at {beginning} came"
        )
        return self.address

    def wait_for_text(self, text: str) -> None:
        self._wait_until(lambda: text in self.text, f"{text!r} did not come in view")

    # The look of a page

    def screen(self, screen: Screen, scheme: str = "light") -> None:
        width, height, scale, phone = screen
        metrics = {
            "width": width,
            "height": height,
            "deviceScaleFactor": scale,
            "mobile": phone,
        }
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": features}
        )

    def picture(self) -> bytes:
        """A PNG of the visible part of the page."""
        return base64.b64decode(
            self.driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})[
                "data"
            ]
        )

    def run(self, script: str, *arguments: object) -> Any:
        return self.driver.execute_script(script, *arguments)

    # Logs, each entry once

    def complaints(self) -> List[str]:
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requested(self) -> List[str]:
        """The addresses that were requested."""
        events = (
            json.loads(entry["message"])["message"]
            for entry in self.driver.get_log("performance")
        )
        return [
            event["params"]["request"]["url"]
            for event in events
            if event["method"] == "Network.requestWillBeSent"
        ]

    def _wait_until(self, true: Callable[[], bool], otherwise: str) -> None:
        try:
            WebDriverWait(self.driver, _PATIENCE).until(lambda _: true())
        except TimeoutException:
            raise AssertionError(
                f"{otherwise}; at {self.address} there is {self.text!r}"
            ) from None

    def _buttons(self) -> List[WebElement]:
        return self.driver.find_elements(By.CSS_SELECTOR, "button, a, label")

    def _named(self, name: str) -> WebElement:
        found = [button for button in self._buttons() if button.text == name]
        if len(found) != 1:
            raise AssertionError(
                f"{len(found)} buttons are named {name!r}: {self.buttons()} at {self.address}"
            )
        return found[0]
