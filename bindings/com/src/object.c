/* What all objects have: IUnknown, IDispatch by the type library, and errors. */
#include <stdio.h>

#include "component.h"

HINSTANCE component;
LONG live_objects;
SRWLOCK guard = SRWLOCK_INIT;

static Object *of_errors(ISupportErrorInfo *errors)
{
    return (Object *)((char *)errors - offsetof(Object, errors));
}
static HRESULT STDMETHODCALLTYPE errors_query(ISupportErrorInfo *self, REFIID iid, void **out)
{
    return object_query(of_errors(self), iid, out);
}
static ULONG STDMETHODCALLTYPE errors_add(ISupportErrorInfo *self)
{
    return object_add(of_errors(self));
}
static ULONG STDMETHODCALLTYPE errors_release(ISupportErrorInfo *self)
{
    return object_release(of_errors(self));
}
static HRESULT STDMETHODCALLTYPE errors_supported(ISupportErrorInfo *self, REFIID iid)
{
    return IsEqualIID(iid, of_errors(self)->class->iid) ? S_OK : S_FALSE;
}
static const ISupportErrorInfoVtbl errors_methods = {errors_query, errors_add, errors_release,
                                                     errors_supported};

void *object_new(Class *class)
{
    Object *object = calloc(1, class->size);
    if (!object)
        return NULL;
    object->methods = class->methods;
    object->errors = &errors_methods;
    object->class = class;
    object->references = 1;
    if (FAILED(CoCreateFreeThreadedMarshaler((IUnknown *)object, &object->marshaler))) {
        free(object);
        return NULL;
    }
    InterlockedIncrement(&live_objects);
    return object;
}

HRESULT STDMETHODCALLTYPE object_query(void *self, REFIID iid, void **out)
{
    Object *object = self;
    if (!out)
        return E_POINTER;
    *out = NULL;
    if (IsEqualIID(iid, &IID_IMarshal))
        return IUnknown_QueryInterface(object->marshaler, iid, out);
    if (IsEqualIID(iid, &IID_ISupportErrorInfo))
        *out = &object->errors;
    else if (IsEqualIID(iid, &IID_IUnknown) ||
             IsEqualIID(iid, object->class->iid) ||
             (object->class->name && IsEqualIID(iid, &IID_IDispatch)))
        *out = object;
    else
        return E_NOINTERFACE;
    object_add(object);
    return S_OK;
}

ULONG STDMETHODCALLTYPE object_add(void *self)
{
    return InterlockedIncrement(&((Object *)self)->references);
}

ULONG STDMETHODCALLTYPE object_release(void *self)
{
    Object *object = self;
    ULONG left = InterlockedDecrement(&object->references);
    if (left)
        return left;
    /* The marshaler looks at the object while it goes. */
    object->references = 1;
    if (object->class->destroy)
        object->class->destroy(object);
    IUnknown_Release(object->marshaler);
    free(object);
    InterlockedDecrement(&live_objects);
    return 0;
}

HRESULT STDMETHODCALLTYPE object_info_count(void *self, UINT *count)
{
    (void)self;
    *count = 1;
    return S_OK;
}

/* The description of the interface in the type library, which is in this DLL. */
HRESULT STDMETHODCALLTYPE object_info(void *self, UINT at, LCID locale, ITypeInfo **info)
{
    Class *class = ((Object *)self)->class;
    wchar_t path[MAX_PATH];
    ITypeLib *library;
    ITypeInfo *found;
    HRESULT status;
    (void)locale;
    *info = NULL;
    if (at)
        return DISP_E_BADINDEX;
    if (!class->about) {
        if (!GetModuleFileNameW(component, path, MAX_PATH))
            return HRESULT_FROM_WIN32(GetLastError());
        status = LoadTypeLibEx(path, REGKIND_NONE, &library);
        if (FAILED(status))
            return status;
        status = ITypeLib_GetTypeInfoOfGuid(library, class->iid, &found);
        ITypeLib_Release(library);
        if (FAILED(status))
            return status;
        if (InterlockedCompareExchangePointer((void **)&class->about, found, NULL))
            ITypeInfo_Release(found);
    }
    *info = class->about;
    ITypeInfo_AddRef(*info);
    return S_OK;
}

HRESULT STDMETHODCALLTYPE object_ids(void *self, REFIID none, LPOLESTR *names, UINT count,
                                     LCID locale, DISPID *ids)
{
    ITypeInfo *info;
    HRESULT status = object_info(self, 0, locale, &info);
    (void)none;
    if (FAILED(status))
        return status;
    status = ITypeInfo_GetIDsOfNames(info, names, count, ids);
    ITypeInfo_Release(info);
    return status;
}

HRESULT STDMETHODCALLTYPE object_invoke(void *self, DISPID id, REFIID none, LCID locale, WORD flags,
                                        DISPPARAMS *arguments, VARIANT *result,
                                        EXCEPINFO *exception, UINT *argument)
{
    ITypeInfo *info;
    HRESULT status = object_info(self, 0, locale, &info);
    (void)none;
    if (FAILED(status))
        return status;
    /* Some languages call a property as a method, such as Item and _NewEnum. */
    if (flags & DISPATCH_METHOD)
        flags |= DISPATCH_PROPERTYGET;
    SetErrorInfo(0, NULL);
    status = ITypeInfo_Invoke(info, self, id, flags, arguments, result, exception, argument);
    ITypeInfo_Release(info);
    return status;
}

void *object_of(VARIANT *argument, const Class *class)
{
    VARIANT value;
    Object *found = NULL;
    VariantInit(&value);
    if (SUCCEEDED(VariantCopyInd(&value, argument)) && V_VT(&value) == VT_DISPATCH &&
        V_DISPATCH(&value)) {
        /* Of another process, or of another component, it has other methods. */
        found = (Object *)V_DISPATCH(&value);
        if ((const void *)found->methods != class->methods)
            found = NULL;
    }
    VariantClear(&value);
    return found;
}

HRESULT mistake(const Class *class, HRESULT code, const wchar_t *format, ...)
{
    wchar_t text[1024];
    ICreateErrorInfo *made;
    IErrorInfo *error;
    va_list values;
    va_start(values, format);
    _vsnwprintf(text, 1023, format, values);
    va_end(values);
    text[1023] = 0;
    if (FAILED(CreateErrorInfo(&made)))
        return code;
    ICreateErrorInfo_SetGUID(made, class->iid);
    ICreateErrorInfo_SetSource(made, (LPOLESTR)class->name);
    ICreateErrorInfo_SetDescription(made, text);
    if (SUCCEEDED(ICreateErrorInfo_QueryInterface(made, &IID_IErrorInfo, (void **)&error))) {
        SetErrorInfo(0, error);
        IErrorInfo_Release(error);
    }
    ICreateErrorInfo_Release(made);
    return code;
}

HRESULT mistake_of(const Class *class, const wchar_t *what, char *json)
{
    char *message = json_get(json, "/error/message");
    BSTR text = NULL;
    HRESULT status = E_OUTOFMEMORY;
    if (SUCCEEDED(text_give(message, &text)))
        status = mistake(class, E_INVALIDARG, L"%ls: %ls", what, text);
    SysFreeString(text);
    payorder_string_free(message);
    payorder_string_free(json);
    return status;
}
