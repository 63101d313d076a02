package org.payorder;

import org.jspecify.annotations.Nullable;

/** Settings of one call, instead of the client's. What is null or not set has its default. */
public abstract class Options<T extends Options<T>> extends OptionsKeys<T> {
    Options() {}

    /** With which another thread can end this call. */
    public T cancellation(@Nullable Cancellation value) {
        cancellation = value;
        return self();
    }
}
