// C++, with early binding: MinGW with payorder_com.h, which has the interfaces.
//
//     g++ sale.cpp -static -lole32 -loleaut32 -luuid
#include <windows.h>
#include <ole2.h>

#include <cstdio>
#include <cwchar>
#include <initguid.h>
#include <initializer_list>

#include "payorder_com.h"

struct Text : VARIANT {
    explicit Text(const wchar_t *text) { vt = VT_BSTR, bstrVal = SysAllocString(text); }
    Text(const Text &) = delete;
    ~Text() { VariantClear(this); }
};

using Property = HRESULT (STDMETHODCALLTYPE IPayorderResult::*)(BSTR *);

static void print(const char *before, IPayorderResult *result, Property property)
{
    BSTR text = nullptr;
    if (SUCCEEDED((result->*property)(&text)))
        std::printf("%s%ls\n", before, text);
    SysFreeString(text);
}

// Whether a result has this text there.
static bool has(IPayorderResult *result, const wchar_t *pointer, const wchar_t *expected)
{
    BSTR text = nullptr;
    bool is = SUCCEEDED(result->Get(Text(pointer), &text)) && !std::wcscmp(text, expected);
    SysFreeString(text);
    return is;
}

static int sell(IPayorderClient *client, IPayorderOrder *order)
{
    IPayorderResult *made = nullptr, *waited = nullptr, *verified = nullptr;
    VARIANT_BOOL ok = VARIANT_FALSE, paid = VARIANT_FALSE;
    VARIANT none, given, seconds, began;
    SYSTEMTIME now;
    none.vt = VT_ERROR, none.scode = DISP_E_PARAMNOTFOUND;
    given.vt = VT_DISPATCH, given.pdispVal = order;
    seconds.vt = VT_I4, seconds.lVal = 300;
    GetLocalTime(&now);
    began.vt = VT_DATE, SystemTimeToVariantTime(&now, &began.date);
    order->put_Amount(Text(L"249.50"));
    order->put_MerchantTxnId(Text(L"TXN-3"));
    order->put_OrderId(Text(L"ORDER-3"));
    order->put_PayMode(Text(L"all"));
    order->put_MerchantId(Text(L"M-7"));
    order->put_ProductInfo(Text(L"Two coffees"));
    order->put_CustomerName(Text(L"Asha Verma"));
    order->put_CustomerMobile(Text(L"9876543210"));
    order->put_CustomerEmail(Text(L"asha@example.com"));
    order->put_RedirectionUrl(Text(L"https://shop.example.com/done"));
    order->put_CurrencyCode(Text(L"INR"));
    if (FAILED(client->CreateOrder(given, none, &made)))
        return 1;
    made->get_Ok(&ok);
    if (!ok) {
        print("outcome: ", made, &IPayorderResult::get_Outcome);
        print("what to do: ", made, &IPayorderResult::get_Action);
        print("", made, &IPayorderResult::get_Message);
        print("made before: ", made, &IPayorderResult::get_PreviousUrl);
        // What a person must look at may be the page of another sale.
        if (has(made, L"/error/action", L"ask_status"))
            print("if it is not paid, its page is ", made, &IPayorderResult::get_CheckoutUrl);
    } else {
        print("Let the customer open ", made, &IPayorderResult::get_Url);
        if (SUCCEEDED(client->WaitForPayment(Text(L"ORDER-3"), seconds, none, &waited))) {
            given.vt = VT_DISPATCH, given.pdispVal = waited;
            client->VerifyPayment(Text(L"ORDER-3"), Text(L"249.50"), given, began, none,
                                  &verified);
            if (verified)
                verified->get_Paid(&paid);
            if (paid)
                std::puts("paid");
            else if (has(waited, L"/status/data/transactionStatus", L""))
                print("it is not known whether it is paid: ask again. ", waited,
                      &IPayorderResult::get_Message);
            else if (verified && has(verified, L"/reasons/0/check", L"transactionStatus") &&
                     has(verified, L"/reasons/1", L""))
                print("not paid yet: ", waited, &IPayorderResult::get_TransactionStatus);
            else
                std::puts("a person must look at it");
        }
    }
    for (IPayorderResult *one : {made, waited, verified})
        if (one)
            one->Release();
    return paid ? 0 : 1;
}

int main()
{
    IPayorderClient *client;
    IPayorderOrder *order;
    std::setvbuf(stdout, nullptr, _IONBF, 0);
    if (FAILED(CoInitializeEx(nullptr, COINIT_APARTMENTTHREADED)) ||
        FAILED(CoCreateInstance(CLSID_Client, nullptr, CLSCTX_INPROC_SERVER, IID_IPayorderClient,
                                reinterpret_cast<void **>(&client))) ||
        FAILED(CoCreateInstance(CLSID_Order, nullptr, CLSCTX_INPROC_SERVER, IID_IPayorderOrder,
                                reinterpret_cast<void **>(&order)))) {
        std::puts("payorder-com.dll is not registered");
        return 1;
    }
    int status = sell(client, order);
    order->Release();
    client->Release();
    CoUninitialize();
    return status;
}
