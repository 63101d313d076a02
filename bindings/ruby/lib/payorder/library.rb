# frozen_string_literal: true

require "fiddle"
require "json"
require "rbconfig"

module Payorder
  # The C library: finds it, declares its functions, and converts text.
  module Library
    # A value that cannot be given to the library.
    class Unusable < StandardError
      attr_reader :cause_name

      def initialize(message, cause_name)
        super(message)
        @cause_name = cause_name
      end
    end

    P = Fiddle::TYPE_VOIDP
    INT = Fiddle::TYPE_INT
    SIZE = Fiddle::TYPE_SIZE_T

    class << self
      # Calls a function. Strings are passed with a NUL at their end.
      def call(name, *args)
        args = args.map { |one| one.is_a?(String) ? "#{one}\0" : one }
        (@functions ||= load).fetch(name).call(*args)
      end

      # Calls a function whose last argument is `char **`: gives its result and the text or nil.
      def call_for_text(name, *args)
        out = pointer
        [call(name, *args, out), take(out)]
      end

      # Room for one pointer, set to NULL.
      def pointer
        Fiddle::Pointer.malloc(Fiddle::SIZEOF_VOIDP, Fiddle::RUBY_FREE).tap do |room|
          room[0, Fiddle::SIZEOF_VOIDP] = "\0" * Fiddle::SIZEOF_VOIDP
        end
      end

      # The text of a string of the library, which is freed.
      def take(out)
        string = out.ptr
        string.null? ? nil : text(string)
      ensure
        call(:string_free, string) if string
      end

      # A copy of a text of the library.
      def text(address)
        Fiddle::Pointer.new(address.to_i).to_s.force_encoding(Encoding::UTF_8)
      end

      # A value as JSON text.
      def json(value, what)
        raise Unusable.new("#{what} is missing", Cause::NULL) if value.nil?

        JSON.generate(usable(value, what))
      rescue JSON::JSONError => e
        raise Unusable.new("#{what} cannot be written as JSON: #{e.message}", Cause::NOT_JSON)
      end

      # A text, array or hash with all texts in UTF-8. U+0000 is fine: JSON has an escape for it.
      def usable(value, what)
        case value
        when Hash
          Names.renamed(value) { |key, one| [usable(key, what), member_of(what, key, one)] }
        when Array then value.map { |one| usable(one, what) }
        when String, Symbol then utf8(value.to_s, what)
        when nil, true, false, Integer, Float then value
        when Time then value.getutc.strftime("%FT%TZ")
        else usable(value.to_h, what)
        end
      rescue NoMethodError
        raise Unusable.new("#{what} is an object of the class #{value.class}, which cannot be " \
                           "written as JSON", Cause::INVALID_VALUE)
      end

      # Only an amount may be a BigDecimal: as an identifier it would become 17.0.
      def member_of(what, key, value)
        key = key.to_s
        key == "amount" && decimal(value) || usable(value, "#{Names.ruby(key)} in #{what}")
      end

      # A text that is given to the library as it is.
      def plain_text(text, what)
        return utf8(text, what) unless text.include?("\0")

        raise Unusable.new("#{what} contains U+0000", Cause::INVALID_VALUE)
      end

      def utf8(text, what)
        utf8 = text.encode(Encoding::UTF_8)
        return utf8 if utf8.valid_encoding?

        raise Unusable.new("#{what} is not UTF-8", Cause::NOT_UTF8)
      rescue EncodingError => e
        raise Unusable.new("#{what} has no UTF-8: #{e.message}", Cause::NOT_UTF8)
      end

      # What is at a JSON pointer of a text, unchanged; or nil.
      def member(json, pointer)
        result, found = call_for_text(:json_get, json, pointer)
        result.zero? ? found : nil
      end

      # The same of an object, or nil. The library reads no text over 16 MiB: it is written again
      # from what Ruby has read.
      def part(json, pointer, read)
        read && (member(json, pointer) || JSON.generate(read, max_nesting: 200))
      end

      def windows?
        RbConfig::CONFIG["host_os"].match?(/mswin|mingw/)
      end

      # Keeps an object at its address until the process ends.
      def pin(object)
        return Fiddle::Pinned.new(object) if defined?(Fiddle::Pinned)

        keep = Fiddle::Handle::DEFAULT["rb_gc_register_mark_object"]
        Fiddle::Function.new(keep, [P], Fiddle::TYPE_VOID).call(Fiddle.dlwrap(object))
      rescue Fiddle::DLError
        object # A Ruby that hides this function; only 2.7 needs it, if a program calls GC.compact.
      end

      # The parsed text, or nil if Ruby cannot parse it.
      def parse(json)
        JSON.parse(json, max_nesting: 200)
      rescue JSON::ParserError, SystemStackError, NoMemoryError
        nil
      end

      private

      # The functions of the first library that can be used: at the first call.
      def load
        tried = []
        candidates.each do |file|
          return open(file)
        rescue Fiddle::DLError => e
          tried << "  #{e.message.include?(file) ? e.message : "#{file}: #{e.message}"}"
        end
        raise LibraryError, "payorder found no shared library that it can use; nothing was " \
                            "sent. It tried\n#{tried.join("\n")}\n" \
                            "Set PAYORDER_LIBRARY to the path of the library."
      end

      # A BigDecimal as decimal text: its own `to_s` has an exponent.
      def decimal(value)
        value.to_s("F") if defined?(BigDecimal) && value.is_a?(BigDecimal) && value.finite?
      end

      # Where the library may be, the preferred place first. In a checkout, the newest build is the
      # one that the developer has just made.
      def candidates
        chosen = ENV.fetch("PAYORDER_LIBRARY", "")
        return [File.expand_path(chosen)] unless chosen.empty?

        name, system = names
        package = File.expand_path("..", __dir__)
        checkout = File.expand_path("../../..", package)
        found = [File.expand_path("../native/#{system_name}/#{name}", package)]
        if package == File.join(checkout, "bindings/ruby/lib")
          builds = Dir[File.join(checkout, "target/{release,debug}", name)]
          found += builds.sort_by { |file| -File.mtime(file).to_f }
        end
        found + [system]
      end

      # This system's name in packaging/targets, which is also its folder's in native.
      def system_name
        os = RbConfig::CONFIG["host_os"]
        processor = case RbConfig::CONFIG["host_cpu"]
                    when /\A(x64|amd64)/ then "x86_64"
                    when /\Ai.86/ then "i686"
                    when "arm64" then "aarch64"
                    when /\Aarm/ then "armv7"
                    else RbConfig::CONFIG["host_cpu"]
                    end
        return "#{processor}-windows" if windows?
        return "#{processor}-macos" if os.include?("darwin")
        return "#{processor}-#{os}" unless os.include?("linux")

        gnu = processor == "armv7" ? "gnueabihf" : "gnu"
        "#{processor}-linux-#{os.include?("musl") ? "musl" : gnu}"
      end

      def names
        case RbConfig::CONFIG["host_os"]
        when /mswin|mingw/ then ["payorder.dll", "payorder.dll"]
        when /darwin/ then ["libpayorder.dylib", "libpayorder.1.dylib"]
        else ["libpayorder.so", "libpayorder.so.1"]
        end
      end

      def open(file)
        library = Fiddle.dlopen(file)
        version = Fiddle::Function.new(library["payorder_abi_version"], [], INT).call
        unless version == ABI_VERSION
          raise Fiddle::DLError, "it has version #{version} of the ABI, " \
                                 "and this package needs version #{ABI_VERSION}"
        end
        SIGNATURES.to_h do |name, types|
          result, *types = types.map { |type| Fiddle.const_get("TYPE_#{type}") }
          [name, Fiddle::Function.new(library["payorder_#{name}"], types, result)]
        end
      end
    end
  end
end
