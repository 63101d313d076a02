/**
 * Creates payment orders and reads their status. Begin with {@link org.payorder.PayorderClient}.
 * What is not marked as Nullable is never null.
 */
@NullMarked
package org.payorder;

import org.jspecify.annotations.NullMarked;
