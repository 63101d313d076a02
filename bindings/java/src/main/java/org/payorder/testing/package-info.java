/** A payment service for the tests of a program. */
@NullMarked
package org.payorder.testing;

import org.jspecify.annotations.NullMarked;
