/* What COM and regsvr32 call. */
#define INITGUID
#include "component.h"
#include <stdio.h>

/* MinGW's headers do not have these. */
HRESULT WINAPI RegisterTypeLibForUser(ITypeLib *, OLECHAR *, OLECHAR *);
HRESULT WINAPI UnRegisterTypeLibForUser(REFGUID, WORD, WORD, LCID, SYSKIND);

#define KEY L"Software\\Classes\\"

static const struct {
    const CLSID *id;
    Class *class;
    const wchar_t *about;
} classes[] = {
    {&CLSID_Client, &client_class, L"payorder: a payment client"},
    {&CLSID_Order, &order_class, L"payorder: an order"},
};

/* ---- Making objects. A factory has no state but its class. */

typedef struct {
    const IClassFactoryVtbl *methods;
    Class *class;
} Factory;

static HRESULT STDMETHODCALLTYPE factory_query(IClassFactory *self, REFIID iid, void **out)
{
    *out = IsEqualIID(iid, &IID_IUnknown) || IsEqualIID(iid, &IID_IClassFactory) ? self
                                                                                             : NULL;
    return *out ? S_OK : E_NOINTERFACE;
}
static ULONG STDMETHODCALLTYPE factory_reference(IClassFactory *self)
{
    (void)self;
    return 1;
}
static HRESULT STDMETHODCALLTYPE factory_make(IClassFactory *self, IUnknown *outer,
                                              REFIID iid, void **out)
{
    Object *object;
    HRESULT status;
    *out = NULL;
    if (outer)
        return CLASS_E_NOAGGREGATION;
    object = object_new(((Factory *)self)->class);
    if (!object)
        return E_OUTOFMEMORY;
    status = object_query(object, iid, out);
    object_release(object);
    return status;
}
static HRESULT STDMETHODCALLTYPE factory_lock(IClassFactory *self, BOOL lock)
{
    (void)self;
    lock ? InterlockedIncrement(&live_objects) : InterlockedDecrement(&live_objects);
    return S_OK;
}
static const IClassFactoryVtbl factory_methods = {factory_query, factory_reference,
                                                  factory_reference, factory_make, factory_lock};
static Factory factories[] = {{&factory_methods, &client_class}, {&factory_methods, &order_class}};

HRESULT WINAPI DllGetClassObject(REFCLSID id, REFIID iid, void **out)
{
    for (int at = 0; at < 2; at++)
        if (IsEqualCLSID(id, classes[at].id))
            return factory_query((IClassFactory *)&factories[at], iid, out);
    *out = NULL;
    return CLASS_E_CLASSNOTAVAILABLE;
}

/* The library keeps itself loaded once it has made a client, so its threads are safe. */
HRESULT WINAPI DllCanUnloadNow(void)
{
    if (live_objects)
        return S_FALSE;
    shared_clear();
    return S_OK;
}

/* ---- Registration */

/* A class's keys, from the outermost one on, and their values. The order is that of the making. */
static LSTATUS each_key(HKEY root, int at, const wchar_t *path, BOOL add)
{
    wchar_t id[40], library[40], keys[6][200];
    const wchar_t *values[] = {classes[at].about, path, classes[at].class->name, library,
                               classes[at].about, id};
    LSTATUS status = ERROR_SUCCESS, first = ERROR_SUCCESS;
    HKEY key;
    StringFromGUID2(classes[at].id, id, 40);
    StringFromGUID2(&LIBID_Payorder, library, 40);
    _snwprintf(keys[0], 200, KEY L"CLSID\\%ls", id);
    _snwprintf(keys[1], 200, L"%ls\\InprocServer32", keys[0]);
    _snwprintf(keys[2], 200, L"%ls\\ProgID", keys[0]);
    _snwprintf(keys[3], 200, L"%ls\\TypeLib", keys[0]);
    _snwprintf(keys[4], 200, KEY L"%ls", classes[at].class->name);
    _snwprintf(keys[5], 200, L"%ls\\CLSID", keys[4]);
    for (int step = 0; step < 6; step++) {
        int one = add ? step : 5 - step;
        if (!add) {
            /* A key with keys of others stays. */
            status = RegDeleteKeyW(root, keys[one]);
            if (status == ERROR_FILE_NOT_FOUND)
                status = ERROR_SUCCESS;
        } else {
            status = RegCreateKeyExW(root, keys[one], 0, NULL, 0, KEY_WRITE, NULL, &key, NULL);
            if (status == ERROR_SUCCESS) {
                status = RegSetValueExW(key, NULL, 0, REG_SZ, (const BYTE *)values[one],
                                        (DWORD)(wcslen(values[one]) + 1) * sizeof(wchar_t));
                if (status == ERROR_SUCCESS && one == 1)
                    status = RegSetValueExW(key, L"ThreadingModel", 0, REG_SZ,
                                            (const BYTE *)L"Both", 5 * sizeof(wchar_t));
                RegCloseKey(key);
            }
        }
        if (first == ERROR_SUCCESS)
            first = status;
    }
    return first;
}

/* Whether the class is registered for this DLL, and not for another copy of it. */
static BOOL is_ours(HKEY root, int at, const wchar_t *path)
{
    wchar_t id[40], key[200], found[MAX_PATH];
    DWORD size = sizeof found;
    StringFromGUID2(classes[at].id, id, 40);
    _snwprintf(key, 200, KEY L"CLSID\\%ls\\InprocServer32", id);
    return RegGetValueW(root, key, NULL, RRF_RT_REG_SZ, NULL, found, &size) == ERROR_SUCCESS &&
           !lstrcmpiW(found, path);
}

static HRESULT change(BOOL add, BOOL user)
{
    HKEY root = user ? HKEY_CURRENT_USER : HKEY_LOCAL_MACHINE;
    wchar_t path[MAX_PATH];
    ITypeLib *library;
    LSTATUS failed = ERROR_SUCCESS;
    HRESULT status;
    DWORD length = GetModuleFileNameW(component, path, MAX_PATH);
    if (!length || length == MAX_PATH)
        return HRESULT_FROM_WIN32(ERROR_FILENAME_EXCED_RANGE);
    if (!add && !is_ours(root, 0, path))
        return S_OK;
    for (int at = 0; at < 2 && failed == ERROR_SUCCESS; at++)
        failed = each_key(root, at, path, add);
    if (failed != ERROR_SUCCESS)
        return HRESULT_FROM_WIN32(failed);
    if (!add) {
        SYSKIND kind = sizeof(void *) == 8 ? SYS_WIN64 : SYS_WIN32;
        return (user ? UnRegisterTypeLibForUser : UnRegisterTypeLib)(&LIBID_Payorder, 1, 0, 0,
                                                                     kind);
    }
    status = LoadTypeLibEx(path, REGKIND_NONE, &library);
    if (FAILED(status))
        return status;
    status = (user ? RegisterTypeLibForUser : RegisterTypeLib)(library, path, NULL);
    ITypeLib_Release(library);
    return status;
}

HRESULT WINAPI DllRegisterServer(void)
{
    return change(TRUE, FALSE);
}

HRESULT WINAPI DllUnregisterServer(void)
{
    return change(FALSE, FALSE);
}

/* regsvr32 /n /i:user, without an administrator; /i alone is for all users. */
HRESULT WINAPI DllInstall(BOOL install, LPCWSTR how)
{
    if (how && *how && lstrcmpiW(how, L"user"))
        return E_INVALIDARG;
    return change(install, how && *how);
}

BOOL WINAPI DllMain(HINSTANCE instance, DWORD reason, void *reserved)
{
    (void)reserved;
    if (reason == DLL_PROCESS_ATTACH) {
        component = instance;
        DisableThreadLibraryCalls(instance);
    }
    return TRUE;
}
