"""The site of the documents: what can be measured of its look."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from .pages import PHONE, PROJECT, SCHEMES, BrowserTestCase

PAGES = (
    "index.html",
    "docs/guides/going-live.html",
    "docs/start.html",
    "reference/causes.html",
    "reference/functions/payorder_create_order.html",
)

#: What people type into the search, and the pages of which it must show one among the first five.
SEARCHES = {
    "PCI": "guides/data",
    "GDPR": "guides/data",
    "privacy": "guides/data",
    "retention": "guides/data",
    "limits": "docs/limits",
    "how many tills": "docs/faq",
    "QR": "guides/qr",
    "Docker": "guides/containers",
    "Alpine": "guides/containers",
    "migrate": "guides/from-libcurl",
    "libcurl": "guides/from-libcurl",
    "rotate token": "docs/faq",
    "wire": "docs/faq",
    "trace": "docs/faq",
    "debug": "docs/faq",
    "what to store": "guides/payment",
    "ports": "docs/faq",
    "firewall": "docs/faq",
    "webhook": "docs/faq",
    "closed browser": "docs/faq",
    "double click": "docs/faq",
    "certificate expires": "docs/faq",
    "refund": "guides/outcomes",
    "license": "docs/faq",
    "internet": "docs/faq",
    "threads": "guides/threads",
    "timeout": "docs/faq",
    "backup": "docs/faq",
    "alert": "guides/operating",
    "Kubernetes": "guides/containers",
    "Delphi": "docs/windows",
    "VB6": "docs/windows",
    "charged": "docs/faq",
    "cancelled": "causes/cancelled",
    "late": "docs/faq",
    "network drive": "docs/faq",
    "JSON logs from C": "guides/operating",
    "how long a version is supported": "SECURITY",
}

#: The contrast of the links with the page, and of the sidebar's with it, as WCAG computes it.
_CONTRAST = """() => {
    const light = text => {
        const [r, g, b] = text.match(/[\\d.]+/g).map(n => n / 255)
            .map(c => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const contrast = (selector, behind) => {
        const page = light(getComputedStyle(document.querySelector(behind)).backgroundColor);
        return [...document.querySelectorAll(selector)].map(link => {
            const text = light(getComputedStyle(link).color);
            return (Math.max(text, page) + 0.05) / (Math.min(text, page) + 0.05);
        });
    };
    const sidebar = '#mdbook-sidebar';
    return [
        contrast('main p a[href]', 'html'),
        contrast(`${sidebar} .chapter-item > a, ${sidebar} .chapter-item > span > *`, sidebar),
    ];
}"""

#: What must not be there in print: other parts than the text, and lines that are cut off.
_PRINTED = """() => ({
    parts: [...document.querySelectorAll('#mdbook-sidebar, #mdbook-menu-bar, .nav-wrapper')]
        .filter(one => getComputedStyle(one).display !== 'none').length,
    cut: [...document.querySelectorAll('main pre code')]
        .filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.innerText),
    isOnPage: document.querySelector('main h1').getBoundingClientRect().top >= 0,
    paper: getComputedStyle(document.documentElement).backgroundColor,
})"""

#: A picture that does not fit has a sign above it, and can be moved.
_CUT_PICTURES = """() => [...document.querySelectorAll('main img')].filter(picture =>
    picture.width > innerWidth
    && !(picture.parentElement.matches('.picture')
        && getComputedStyle(picture.parentElement, '::before').content !== 'none'))
    .map(picture => picture.src)"""


class Site(BrowserTestCase):
    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.site = Path(folder.name)
        command = [sys.executable, str(PROJECT / "docs/site"), folder.name]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    def address(self, page: str) -> str:
        return (self.site / page).as_uri()

    def test_links_have_enough_contrast_in_light_and_dark_mode(self) -> None:
        for scheme in SCHEMES:
            tab = self.tab(scheme)
            for page in PAGES:
                with self.subTest(page=page, scheme=scheme):
                    tab.goto(self.address(page))
                    for found in tab.evaluate(_CONTRAST):
                        self.assertGreaterEqual(min(found), 4.5)

    def test_the_search_finds_the_page_by_what_people_type(self) -> None:
        tab = self.tab()
        for words, page in SEARCHES.items():
            with self.subTest(words=words):
                index = self.address("index.html")
                tab.goto(f"{index}?search={words.replace(' ', '+')}")
                tab.get_by_text(f" for '{words}':").wait_for()
                links = tab.locator("#mdbook-searchresults a").all()[:5]
                found = [str(link.get_attribute("href")) for link in links]
                self.assertTrue(any(page in link.split("?")[0] for link in found))

    def test_print_shows_the_text_alone_with_complete_lines(self) -> None:
        tab = self.tab("dark")
        tab.emulate_media(media="print")
        expected = {"parts": 0, "cut": [], "isOnPage": True}
        for page in PAGES:
            with self.subTest(page=page):
                tab.goto(self.address(page))
                found = tab.evaluate(_PRINTED)
                self.assertEqual(found, {**expected, "paper": "rgb(255, 255, 255)"})

    def test_no_page_is_wider_than_a_phone(self) -> None:
        tab = self.tab(**PHONE)
        for page in (*PAGES, "docs/guides/payment.html", "docs/journal.html"):
            with self.subTest(page=page):
                tab.goto(self.address(page))
                self.check_width(tab, PHONE)
                self.assertEqual(tab.evaluate(_CUT_PICTURES), [])
