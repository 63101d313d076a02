package org.payorder;

/** The certificate or the TLS handshake failed. */
public final class TlsException extends NotSentException {
    private static final long serialVersionUID = 1;

    TlsException(ErrorFields error) {
        super(error);
    }
}
