/*
 * A host that loads the DLL, creates a client and frees the DLL: it stays, because a thread of the
 * host may still be in it.
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
    payorder_client_new_fn create =
        (payorder_client_new_fn)(void *)GetProcAddress(library, "payorder_client_new");
    payorder_abi_version_fn version =
        (payorder_abi_version_fn)(void *)GetProcAddress(library, "payorder_abi_version");
    if (create(arguments[1], &client, &json) != PAYORDER_OK) {
        return 2;
    }
    if (!FreeLibrary(library) || GetModuleHandleA("payorder.dll") != library) {
        return 3;
    }
    return version() == PAYORDER_HEADER_ABI_VERSION ? 0 : 4;
}
