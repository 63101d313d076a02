<?php

// Declares the generated classes, unless another copy of the package has done so: the preloaded
// one of an earlier release folder, or that of another shop in the same PHP-FPM.

declare(strict_types=1);

if (!class_exists(Payorder\Result::class, false)) {
    require __DIR__ . '/generated/classes.php';
}
