package org.payorder;

import com.sun.jna.Callback;
import com.sun.jna.IntegerType;
import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.PointerByReference;

/**
 * The functions of the library. Texts for it are byte arrays. Texts of the library are pointers,
 * because they must be freed there.
 */
interface Functions extends Library {
    Pointer payorder_version();

    int payorder_abi_version();

    Size payorder_live_clients();

    Size payorder_live_strings();

    Size payorder_live_calls();

    int payorder_client_new(byte[] config, PointerByReference client, PointerByReference json);

    int payorder_client_from_env(byte[] config, PointerByReference client, PointerByReference json);

    int payorder_client_stop(Pointer client);

    int payorder_client_set_credentials(
            Pointer client, byte[] credentials, PointerByReference json);

    int payorder_set_idle(IdleFunction idle, Pointer userData);

    int payorder_recover(Pointer client, byte[] sales, byte[] options, PointerByReference json);

    int payorder_client_free(Pointer client);

    int payorder_client_cancel(Pointer client);

    int payorder_client_set_log(Pointer client, LogFunction log, Pointer userData);

    int payorder_cancellation_new(PointerByReference token);

    int payorder_cancellation_cancel(byte[] token);

    int payorder_cancellation_free(byte[] token);

    int payorder_create_order(
            Pointer client, byte[] order, byte[] options, PointerByReference json);

    int payorder_get_status(Pointer client, byte[] query, byte[] options, PointerByReference json);

    int payorder_wait_for_payment(
            Pointer client, byte[] query, byte[] options, PointerByReference json);

    int payorder_get_statuses(
            Pointer client,
            byte[] queries,
            byte[] options,
            StatusFunction each,
            Pointer userData,
            PointerByReference json);

    int payorder_journal_list(Pointer client, byte[] options, PointerByReference json);

    int payorder_journal_resolve(Pointer client, byte[] options, PointerByReference json);

    int payorder_journal_settle(Pointer client, byte[] options, PointerByReference json);

    int payorder_journal_prune(Pointer client, byte[] options, PointerByReference json);

    int payorder_build_create_order(byte[] order, byte[] options, PointerByReference json);

    int payorder_build_get_status(byte[] query, PointerByReference json);

    int payorder_parse_return_url(byte[] url, PointerByReference json);

    int payorder_verify_payment(byte[] expected, byte[] status, PointerByReference json);

    void payorder_string_free(Pointer text);

    /** payorder_log_fn. */
    interface LogFunction extends Callback {
        void invoke(Pointer event, Pointer userData);
    }

    /** payorder_idle_fn. */
    interface IdleFunction extends Callback {
        int invoke(Pointer userData);
    }

    /** payorder_status_fn. */
    interface StatusFunction extends Callback {
        int invoke(Size index, int result, Pointer json, Pointer userData);
    }

    /** size_t. */
    final class Size extends IntegerType {
        private static final long serialVersionUID = 1;

        public Size() {
            super(Native.SIZE_T_SIZE, true);
        }
    }
}
