package org.payorder;

/** Settings of getStatus. */
public final class CallOptions extends Options<CallOptions> {}
