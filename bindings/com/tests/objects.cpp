// What scripts cannot test: early binding, apartments, threads, references, secrets.
//
//     objects            prints `end` if all is well
//     objects ORDER      ends while a thread waits for the answer to an order
#include <windows.h>
#include <ole2.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <initguid.h>

#include "payorder_com.h"

static const char *at;
#define CHECK(condition)                                                                           \
    ((condition) ? (void)0                                                                         \
                 : (std::printf("%s: %s:%d: %s\n", at, __FILE__, __LINE__, #condition), exit(1)))
#define WORKS(call) CHECK(SUCCEEDED(call))

// A text as an argument, freed at the end of the statement.
struct Text : VARIANT {
    explicit Text(const wchar_t *text) { vt = VT_BSTR, bstrVal = SysAllocString(text); }
    Text(const Text &) = delete;
    ~Text() { VariantClear(this); }
};

static VARIANT nothing()
{
    VARIANT value;
    value.vt = VT_ERROR, value.scode = DISP_E_PARAMNOTFOUND;
    return value;
}

static VARIANT number(long given)
{
    VARIANT value;
    value.vt = VT_I4, value.lVal = given;
    return value;
}

template <class Interface> static Interface *make(REFCLSID id, REFIID iid)
{
    Interface *made = nullptr;
    WORKS(CoCreateInstance(id, nullptr, CLSCTX_INPROC_SERVER, iid, reinterpret_cast<void **>(&made)));
    return made;
}
static IPayorderClient *client()
{
    return make<IPayorderClient>(CLSID_Client, IID_IPayorderClient);
}

// Whether a call asks the sandbox, which knows no such order.
static void asks(IPayorderClient *client, const wchar_t *id)
{
    IPayorderResult *result;
    BSTR outcome;
    WORKS(client->GetStatus(Text(id), nothing(), &result));
    WORKS(result->get_Outcome(&outcome));
    CHECK(!wcscmp(outcome, L"rejected"));
    SysFreeString(outcome);
    CHECK(result->Release() == 0);
}

static void early_binding()
{
    at = "early binding";
    IPayorderOrder *order = make<IPayorderOrder>(CLSID_Order, IID_IPayorderOrder);
    IPayorderClient *one = client();
    IPayorderResult *result;
    IPayorderList *list;
    IDispatch *item;
    IPayorderViolation *violation;
    BSTR text;
    long count;
    VARIANT_BOOL ok;
    WORKS(order->put_OrderId(Text(L"EARLY-1")));
    VARIANT value;
    value.vt = VT_R8, value.dblVal = 2.5;
    // An error says which property, and where it is from.
    CHECK(order->put_Amount(value) == DISP_E_TYPEMISMATCH);
    ISupportErrorInfo *supports;
    IErrorInfo *error;
    WORKS(order->QueryInterface(IID_ISupportErrorInfo, reinterpret_cast<void **>(&supports)));
    CHECK(supports->InterfaceSupportsErrorInfo(IID_IPayorderOrder) == S_OK);
    CHECK(supports->InterfaceSupportsErrorInfo(IID_IPayorderClient) == S_FALSE);
    supports->Release();
    CHECK(GetErrorInfo(0, &error) == S_OK);
    WORKS(error->GetSource(&text));
    CHECK(!wcscmp(text, L"Payorder.Order"));
    SysFreeString(text);
    WORKS(error->GetDescription(&text));
    CHECK(wcsstr(text, L"Amount"));
    SysFreeString(text);
    error->Release();

    value.vt = VT_DISPATCH, value.pdispVal = order;
    WORKS(one->CreateOrder(value, nothing(), &result));
    WORKS(result->get_Ok(&ok));
    CHECK(ok == VARIANT_FALSE);
    WORKS(result->get_Url(&text));
    CHECK(SysStringLen(text) == 0);
    SysFreeString(text);
    WORKS(result->get_Violations(&list));
    WORKS(list->get_Count(&count));
    CHECK(count == 10);
    WORKS(list->get_Item(number(1), &item));
    WORKS(item->QueryInterface(IID_IPayorderViolation, reinterpret_cast<void **>(&violation)));
    CHECK(item->Release() == 1);
    CHECK(violation->Release() == 0);
    CHECK(FAILED(list->get_Item(number(0), &item)) && !item);
    CHECK(FAILED(list->get_Item(number(11), &item)));
    IEnumVARIANT *each, *copy;
    WORKS(list->get__NewEnum(reinterpret_cast<IUnknown **>(&each)));
    VARIANT items[11];
    ULONG given;
    CHECK(each->Skip(1) == S_OK && each->Clone(&copy) == S_OK);
    CHECK(each->Next(11, items, &given) == S_FALSE && given == 9);
    while (given)
        VariantClear(&items[--given]);
    CHECK(copy->Reset() == S_OK && copy->Skip(10) == S_OK && copy->Skip(1) == S_FALSE);
    CHECK(each->Release() == 0 && copy->Release() == 0 && list->Release() == 0);
    CHECK(result->Release() == 0 && order->Release() == 0 && one->Release() == 0);
}

static void optional_arguments()
{
    at = "optional arguments";
    IPayorderClient *one = client();
    IPayorderResult *result;
    VARIANT_BOOL paid;
    VARIANT missing = nothing(), forwarded;
    // What a wrapper gives for its own argument that was left out.
    forwarded.vt = VT_BYREF | VT_VARIANT, forwarded.pvarVal = &missing;
    for (const VARIANT &transaction : {missing, forwarded}) {
        WORKS(one->VerifyPayment(Text(L"1"), Text(L"1.00"),
                                 Text(L"{\"responseCode\":200,\"data\":{\"orderId\":\"1\",\"amount\":"
                                      L"\"1.00\",\"transactionStatus\":\"Completed\"}}"),
                                 transaction, transaction, &result));
        WORKS(result->get_Paid(&paid));
        CHECK(paid == VARIANT_TRUE);
        CHECK(result->Release() == 0);
    }
    CHECK(one->Release() == 0);
}

static void amounts()
{
    at = "amounts";
    IPayorderOrder *order = make<IPayorderOrder>(CLSID_Order, IID_IPayorderOrder);
    VARIANT value, reference, found;
    reference.vt = VT_BYREF | VT_VARIANT, reference.pvarVal = &value;
    auto is = [&](const wchar_t *text) {
        WORKS(order->get_Amount(&found));
        CHECK(found.vt == VT_BSTR && !wcscmp(found.bstrVal, text));
        VariantClear(&found);
    };
    value.vt = VT_CY, value.cyVal.int64 = 2495000;
    WORKS(order->put_Amount(value));
    is(L"249.50");
    DECIMAL seven;
    WORKS(VarDecFromI4(7, &seven));
    value.decVal = seven, value.vt = VT_DECIMAL;
    WORKS(order->put_Amount(reference));
    is(L"7.00");
    for (VARTYPE type : {VT_I2, VT_I4, VT_I8, VT_UI1, VT_R4, VT_R8, VT_DATE, VT_BOOL, VT_NULL, VT_EMPTY}) {
        WORKS(order->put_Amount(Text(L"7.00")));
        value.vt = type, value.llVal = 0;
        CHECK(order->put_Amount(reference) == DISP_E_TYPEMISMATCH);
        is(L"");
    }
    CHECK(order->Release() == 0);
}

static DWORD WINAPI on_order(void *order)
{
    VARIANT found;
    for (int change = 0; change < 3000; change++) {
        WORKS(static_cast<IPayorderOrder *>(order)->put_Amount(Text(change % 2 ? L"1.00" : L"22222.00")));
        WORKS(static_cast<IPayorderOrder *>(order)->get_Amount(&found));
        CHECK(!wcscmp(found.bstrVal, L"1.00") || !wcscmp(found.bstrVal, L"22222.00"));
        VariantClear(&found);
    }
    return 0;
}

static DWORD WINAPI on_thread(void *client)
{
    WORKS(CoInitializeEx(nullptr, COINIT_MULTITHREADED));
    for (int call = 0; call < 10; call++)
        asks(static_cast<IPayorderClient *>(client), L"THREADS");
    CoUninitialize();
    return 0;
}

static void threads()
{
    at = "threads";
    IPayorderClient *one = client(), *same;
    IPayorderOrder *order = make<IPayorderOrder>(CLSID_Order, IID_IPayorderOrder);
    HANDLE threads[6];
    for (int thread = 0; thread < 6; thread++)
        threads[thread] = thread < 4 ? CreateThread(nullptr, 0, on_thread, one, 0, nullptr)
                                     : CreateThread(nullptr, 0, on_order, order, 0, nullptr);
    WaitForMultipleObjects(6, threads, TRUE, INFINITE);
    for (HANDLE thread : threads)
        CloseHandle(thread);
    CHECK(order->Release() == 0);
    // Another apartment gets the object itself, as ASP's Application needs it.
    IStream *stream;
    WORKS(CoMarshalInterThreadInterfaceInStream(IID_IPayorderClient, one, &stream));
    WORKS(CoGetInterfaceAndReleaseStream(stream, IID_IPayorderClient, reinterpret_cast<void **>(&same)));
    CHECK(same == one);
    same->Release();
    CHECK(one->Release() == 0);
}

static HMODULE dll() { return GetModuleHandleW(L"payorder-com.dll"); }

static HRESULT can_unload()
{
    CHECK(dll());
    auto found = reinterpret_cast<void *>(GetProcAddress(dll(), "DllCanUnloadNow"));
    return reinterpret_cast<HRESULT(WINAPI *)()>(found)();
}

static void started()
{
    at = "started calls";
    IPayorderClient *one = client();
    IPayorderCall *call;
    IPayorderResult *result;
    BSTR outcome, cause;
    VARIANT_BOOL done;
    // The object goes first, then the call.
    WORKS(one->StartWaitForPayment(Text(L"STARTED"), number(60), nothing(), &call));
    one->Release();
    WORKS(call->Wait(number(100), &done));
    CHECK(done == VARIANT_FALSE);
    WORKS(call->get_Result(&result));
    WORKS(result->get_Outcome(&outcome));
    CHECK(!wcscmp(outcome, L"unknown"));
    SysFreeString(outcome);
    result->Release();
    DWORD begun = GetTickCount();
    WORKS(call->Cancel());
    WORKS(call->Wait(number(5000), &done));
    CHECK(done == VARIANT_TRUE && GetTickCount() - begun < 2000);
    WORKS(call->get_Result(&result));
    WORKS(result->get_Cause(&cause));
    CHECK(!wcscmp(cause, L"cancelled"));
    SysFreeString(cause);
    result->Release();
    call->Release();
    // Nobody asks for the result, and the component is unloaded as far as it allows.
    one = client();
    WORKS(one->StartWaitForPayment(Text(L"STARTED"), number(60), nothing(), &call));
    call->Release();
    CHECK(can_unload() == S_FALSE);
    CoFreeUnusedLibraries();
    WORKS(one->Cancel());
    one->Release();
}

// Whether a text is in the memory of this process that can be written. Its first letter is given
// apart, or the search would find what it is given.
template <class Letter> static bool in_memory(Letter first, const Letter *rest, size_t size)
{
    MEMORY_BASIC_INFORMATION region;
    for (char *from = nullptr; VirtualQuery(from, &region, sizeof region) == sizeof region;
         from = static_cast<char *>(region.BaseAddress) + region.RegionSize) {
        if (region.State != MEM_COMMIT || region.Protect != PAGE_READWRITE)
            continue;
        auto letter = static_cast<Letter *>(region.BaseAddress);
        auto end = letter + (region.RegionSize - size) / sizeof(Letter);
        for (; letter < end; letter++)
            if (*letter == first && !std::memcmp(letter + 1, rest, size))
                return true;
    }
    return false;
}

static void no_secret_stays()
{
    at = "secrets";
    static const wchar_t settings[] = L"{\"baseUrl\":\"https://pay.example.com\",\"secretKey\":\"Q7vf-9ZrX\"}";
    IPayorderClient *one = client();
    {
        Text text(settings);
        WORKS(one->Open(text));
        CHECK(in_memory(L'Q', L"7vf-9ZrX", 16) && in_memory('Q', "7vf-9ZrX", 8));
        SecureZeroMemory(text.bstrVal, SysStringByteLen(text.bstrVal));
    }
    one->Release();
    BSTR live;
    one = client();
    WORKS(one->get_Live(&live));
    SysFreeString(live);
    one->Release();
    CHECK(!in_memory(L'Q', L"7vf-9ZrX", 16) && !in_memory('Q', "7vf-9ZrX", 8));
}

static bool has(const wchar_t *counts)
{
    IPayorderClient *one = client();
    BSTR live;
    WORKS(one->get_Live(&live));
    bool found = wcsstr(live, counts);
    if (!found)
        std::printf("%s: live: %ls\n", at, live);
    SysFreeString(live);
    one->Release();
    return found;
}

static void nothing_stays()
{
    at = "nothing stays";
    // Of two objects with the same settings, the second one has the client of the first.
    IPayorderClient *one = client();
    asks(one, L"FIRST");
    one->Release();
    IPayorderClient *two = client();
    asks(two, L"SECOND");
    IPayorderClient *three = client();
    asks(three, L"THIRD");
    CHECK(has(L"{\"clients\":1,"));
    two->Stop();
    asks(three, L"AFTER-THE-STOP-OF-ANOTHER");
    two->Release();
    three->Release();
    for (int wait = 0; wait < 50 && !has(L"{\"clients\":0,\"strings\":0,\"calls\":0,\"objects\":1}"); wait++)
        Sleep(100);
    CHECK(has(L"{\"clients\":0,\"strings\":0,\"calls\":0,\"objects\":1}"));
    CHECK(can_unload() == S_OK);
    one = client();
    CHECK(can_unload() == S_FALSE);
    one->Release();
    // The library's threads need its code.
    CoFreeUnusedLibraries();
    HMODULE loaded = dll();
    FreeLibrary(loaded);
    CHECK(dll() == loaded);
}

static wchar_t order_id[64];

static DWORD WINAPI on_ending_thread(void *client)
{
    IPayorderResult *result;
    wchar_t json[512];
    _snwprintf(json, 512,
               L"{\"amount\":\"1.00\",\"merchantTxnId\":\"%ls\",\"orderId\":\"%ls\","
               L"\"payMode\":\"all\",\"merchantId\":\"M\",\"productInfo\":\"Tea\","
               L"\"customerName\":\"Asha\",\"customerMobile\":\"9876543210\","
               L"\"customerEmail\":\"asha@example.com\",\"currencyCode\":\"INR\","
               L"\"redirectionURL\":\"https://shop.example.com\"}",
               order_id, order_id);
    WORKS(CoInitializeEx(nullptr, COINIT_MULTITHREADED));
    Text options(L"{\"timeoutMs\":5000}");
    WORKS(static_cast<IPayorderClient *>(client)->CreateOrder(Text(json), options, &result));
    return 0;
}

static void end_in_a_call()
{
    at = "end";
    WORKS(CoInitializeEx(nullptr, COINIT_APARTMENTTHREADED));
    IPayorderClient *one = client();
    VARIANT_BOOL has_it = VARIANT_FALSE;
    CHECK(CreateThread(nullptr, 0, on_ending_thread, one, 0, nullptr));
    while (!has_it) {
        IPayorderResult *result;
        WORKS(one->GetStatus(Text(order_id), nothing(), &result));
        WORKS(result->get_Ok(&has_it));
        result->Release();
    }
    CoUninitialize();
}

int main(int count, char **arguments)
{
    std::setvbuf(stdout, nullptr, _IONBF, 0);
    if (count > 1) {
        std::mbstowcs(order_id, arguments[1], 63);
        end_in_a_call();
        std::puts("end");
        return 0;
    }
    for (DWORD apartment : {DWORD(COINIT_APARTMENTTHREADED), DWORD(COINIT_MULTITHREADED)}) {
        WORKS(CoInitializeEx(nullptr, apartment));
        CLSID id;
        at = "name";
        // A manifest gives it another number.
        WORKS(CLSIDFromProgID(L"Payorder.Client", &id));
        make<IPayorderClient>(id, IID_IPayorderClient)->Release();
        early_binding();
        optional_arguments();
        amounts();
        no_secret_stays();
        threads();
        started();
        nothing_stays();
        CoUninitialize();
    }
    std::puts("end");
    return 0;
}
