# frozen_string_literal: true

module Payorder
  # The version of this package; `Payorder.version` is that of the C library.
  VERSION = "0.1.0"
end
