<?php

declare(strict_types=1);

namespace Payorder;

/** The ways to pay that an order offers. */
enum PayMode: string
{
    case All = 'all';
    case CreditCard = 'cc';
    case DebitCard = 'dc';
    case Upi = 'upi';
    case NetBanking = 'nb';
}
