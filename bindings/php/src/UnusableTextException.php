<?php

declare(strict_types=1);

namespace Payorder;

/** An error of a function that uses no network. It says nothing about an order. */
final class UnusableTextException extends PayorderException
{
}
