"""A Conan package of an unpacked archive for Linux, or of a prefix that CMake installed into:

conan export-pkg packaging/conan -of FOLDER
"""

import os
import re

from conan import ConanFile
from conan.tools.files import copy, load


class Payorder(ConanFile):
    name = "payorder"
    description = "A payment client core behind a C ABI"
    homepage = "https://payorder.example"
    license = "MIT OR Apache-2.0"
    settings = "os", "arch"
    # Their scripts would be written into the folder that is packed.
    virtualbuildenv = virtualrunenv = False

    def set_version(self):
        manifest = load(self, os.path.join(self.recipe_folder, "../../Cargo.toml"))
        self.version = re.search(r'^version = "(.*)"', manifest, re.MULTILINE)[1]

    def package(self):
        copy(self, "*", self.build_folder, self.package_folder)

    def package_info(self):
        # Its own CMake package has two targets: payorder::payorder and payorder::payorder_static.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = ["lib/cmake/payorder"]
        self.cpp_info.libs = ["payorder"]
