/*
 * A host that loads the DLL, calls one function and frees the DLL: it stays, because a thread of the
 * host may still be in it, and each time it is loaded takes two of the process's TLS indexes, which
 * Rust does not give back. Then it creates a client.
 *
 *     unload CONFIG
 *
 * It exits with 0, or with the number of what went wrong, or crashes.
 */
#include <payorder.h>

#include <windows.h>

int main(int count, char **arguments)
{
    HMODULE library = LoadLibraryA("payorder.dll");
    payorder_client *client = NULL;
    char *json = NULL;
    if (count != 2 || library == NULL) {
        return 1;
    }
    payorder_json_get_fn get =
        (payorder_json_get_fn)(void *)GetProcAddress(library, "payorder_json_get");
    payorder_client_new_fn create =
        (payorder_client_new_fn)(void *)GetProcAddress(library, "payorder_client_new");
    payorder_abi_version_fn version =
        (payorder_abi_version_fn)(void *)GetProcAddress(library, "payorder_abi_version");
    if (get("{\"url\":\"\"}", "/url", &json) != PAYORDER_OK) {
        return 2;
    }
    if (!FreeLibrary(library) || GetModuleHandleA("payorder.dll") != library) {
        return 3;
    }
    if (create(arguments[1], &client, &json) != PAYORDER_OK) {
        return 4;
    }
    return version() == PAYORDER_HEADER_ABI_VERSION ? 0 : 5;
}
