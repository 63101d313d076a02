<?php

declare(strict_types=1);

namespace Payorder;

/**
 * Finds the shared library and declares its functions: those of ffi.preload, or at the first use.
 *
 * @internal
 */
final class Native
{
    public const ABI_VERSION = 1;
    private const SCOPE = 'payorder';
    private const SEE =
        'nothing was sent. See "PHP-FPM and preloading" in the README of the package';

    private static ?\FFI $ffi = null;
    private static string $path = '';
    /** @var array<string, \FFI\CType> */
    private static array $types = [];

    public static function ffi(): \FFI
    {
        return self::$ffi ??= self::found();
    }

    private static function found(): \FFI
    {
        // A framework would make an exception of a warning, such as those of open_basedir.
        set_error_handler(static fn (): bool => true);
        try {
            $ffi = self::preloaded() ?? self::load();
            // That of an earlier request, which PHP has freed.
            $ffi->payorder_set_idle(null, null);
            return $ffi;
        } catch (\Error $problem) {
            // Of functions and classes that php.ini disables.
            throw LibraryException::because("{$problem->getMessage()}; " . self::SEE);
        } finally {
            restore_error_handler();
        }
    }

    /** For preloading: the library of ffi.preload has all that the package declares. */
    public static function checkPreloaded(): void
    {
        preg_match_all('/\bpayorder_\w+(?=\()/', self::declarations(), $functions);
        try {
            foreach ($functions[0] as $function) {
                self::ffi()->$function;
            }
        } catch (\FFI\Exception $problem) {
            throw LibraryException::because(
                "the file of ffi.preload has no $function: write it again; " . self::SEE,
            );
        }
    }

    /** New memory of a type. PHP keeps what it makes of a type's text until the process ends. */
    public static function new(string $type): \FFI\CData
    {
        return self::ffi()->new(self::$types[$type] ??= self::ffi()->type($type));
    }

    /** A text in memory of C. A stack trace shows the text of a string, but not of this. */
    public static function text(#[\SensitiveParameter] string $text): \FFI\CData
    {
        $char = self::$types['char'] ??= self::ffi()->type('char');
        $copy = self::ffi()->new(\FFI::arrayType($char, [strlen($text) + 1]));
        \FFI::memcpy($copy, $text, strlen($text));
        return $copy;
    }

    /** Where the library was found. */
    public static function path(): string
    {
        self::ffi();
        return self::$path;
    }

    /** The declarations as ffi.preload needs them, with the path of a library. */
    public static function header(string $path): string
    {
        return '#define FFI_SCOPE "' . self::SCOPE . "\"\n#define FFI_LIB \"$path\"\n"
            . self::declarations();
    }

    private static function declarations(): string
    {
        $packed = dirname(__DIR__) . '/payorder.cdef';
        $source = dirname(__DIR__, 3) . '/include/payorder.cdef';
        $code = file_get_contents(is_file($packed) ? $packed : $source);
        return $code !== false ? $code : throw LibraryException::because(
            "PHP cannot read $packed; " . self::SEE,
        );
    }

    /** The library that ffi.preload has loaded, or null. */
    private static function preloaded(): ?\FFI
    {
        if (!extension_loaded('FFI')) {
            throw LibraryException::because('this PHP has no extension FFI; ' . self::SEE);
        }
        try {
            $ffi = \FFI::scope(self::SCOPE);
        } catch (\FFI\Exception $problem) {
            if (str_contains($problem->getMessage(), 'ffi.enable')) {
                $enable = ini_get('ffi.enable');
                throw LibraryException::because(
                    "ffi.enable=$enable does not allow FFI here; " . self::SEE,
                );
            }
            return null;
        }
        try {
            self::checkVersion($ffi);
        } catch (\UnexpectedValueException $problem) {
            throw LibraryException::because(
                "the library of ffi.preload {$problem->getMessage()}; nothing was sent",
            );
        }
        self::$path = 'ffi.preload';
        return $ffi;
    }

    private static function load(): \FFI
    {
        $code = self::declarations();
        // PHP 8.1 and 8.2 do not pass on why the loader failed.
        $loader = PHP_OS_FAMILY === 'Windows'
            ? null
            : \FFI::cdef('const char *dlerror(void);');
        $tried = [];
        foreach (self::candidates() as $path) {
            try {
                // First the version: a library with another one may lack functions.
                self::checkVersion(\FFI::cdef('uint32_t payorder_abi_version(void);', $path));
                $ffi = \FFI::cdef($code, $path);
                self::$path = $path;
                return $ffi;
            } catch (\FFI\Exception | \UnexpectedValueException $problem) {
                $why = $problem instanceof \FFI\Exception ? $loader?->dlerror() : null;
                $tried[] = $why ?? "$path: {$problem->getMessage()}";
            }
        }
        throw LibraryException::because(
            "payorder found no shared library that it can use; nothing was sent. It tried\n  "
            . implode("\n  ", $tried)
            . "\nSet PAYORDER_LIBRARY to the path of the library, or see the package's README.",
        );
    }

    private static function checkVersion(\FFI $library): void
    {
        $version = $library->payorder_abi_version();
        if ($version !== self::ABI_VERSION) {
            $needed = self::ABI_VERSION;
            throw new \UnexpectedValueException(
                "has version $version of the ABI, and this package needs version $needed",
            );
        }
    }

    /** @return list<string> */
    private static function candidates(): array
    {
        $chosen = (string) getenv('PAYORDER_LIBRARY');
        if ($chosen !== '') {
            return [realpath($chosen) ?: $chosen];
        }
        [$built, $system] = match (PHP_OS_FAMILY) {
            'Windows' => ['payorder.dll', 'payorder.dll'],
            'Darwin' => ['libpayorder.dylib', 'libpayorder.1.dylib'],
            default => ['libpayorder.so', 'libpayorder.so.1'],
        };
        $package = dirname(__DIR__);
        $checkout = dirname($package, 2);
        $places = ["$package/native/" . self::system() . "/$built"];
        if (is_file("$checkout/Cargo.toml")) {
            $builds = ["$checkout/target/release/$built", "$checkout/target/debug/$built"];
            $builds = array_filter($builds, 'is_file');
            $newest = static fn (string $a, string $b): int => filemtime($b) <=> filemtime($a);
            usort($builds, $newest);
            $places = [...$places, ...$builds];
        }
        return array_values(array_unique([...$places, $system]));
    }

    /** This system's name in packaging/targets, which is also its folder's in native. */
    private static function system(): string
    {
        // A PHP of 32 bit also runs on a system of 64 bit.
        $machine = function_exists('php_uname') ? php_uname('m') : 'php_uname-is-disabled';
        $processor = match ($machine) {
            'AMD64', 'x86_64' => PHP_INT_SIZE === 8 ? 'x86_64' : 'i686',
            'i386', 'i586', 'i686', 'x86' => 'i686',
            'aarch64', 'arm64' => PHP_INT_SIZE === 8 ? 'aarch64' : 'armv7',
            'armv7l', 'armv8l' => 'armv7',
            default => $machine,
        };
        if (PHP_OS_FAMILY !== 'Linux') {
            $system = PHP_OS_FAMILY === 'Darwin' ? 'macos' : strtolower(PHP_OS_FAMILY);
            return "$processor-$system";
        }
        $maps = (string) file_get_contents('/proc/self/maps');
        $gnu = $processor === 'armv7' ? 'gnueabihf' : 'gnu';
        return "$processor-linux-" . (str_contains($maps, '/ld-musl-') ? 'musl' : $gnu);
    }
}
