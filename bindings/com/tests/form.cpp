// Runs the code of a form of VB6 as VBScript, with a timer and a message loop of Windows.
//
//     form SCRIPT NUMBER [WHAT TEXT]...
//
// It sells this order. When the form shows a TEXT, the person does WHAT: `cancel`, `ask`, or `stay`,
// which closes the form during a call, and must not succeed.
#include <windows.h>
#include <ole2.h>

#include <fcntl.h>
#include <io.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

static IDispatch *control;

static void fail(const std::wstring &what, const wchar_t *why)
{
    std::printf("%ls: %ls\n", what.c_str(), why ? why : L"");
    exit(1);
}

// Calls a method of the script control, or sets a property.
static std::wstring call(const wchar_t *name, const std::wstring &argument,
                         WORD how = DISPATCH_METHOD)
{
    DISPID id, put = DISPID_PROPERTYPUT;
    VARIANT value, result;
    EXCEPINFO error = {};
    value.vt = VT_BSTR, value.bstrVal = SysAllocString(argument.c_str());
    VariantInit(&result);
    DISPPARAMS given = {&value, how == DISPATCH_METHOD ? nullptr : &put, 1, how != DISPATCH_METHOD};
    auto text = const_cast<wchar_t *>(name);
    if (FAILED(control->GetIDsOfNames(IID_NULL, &text, 1, 0, &id)) ||
        FAILED(control->Invoke(id, IID_NULL, 0, how, &given, &result, &error, nullptr)))
        fail(argument, error.bstrDescription);
    SysFreeString(value.bstrVal);
    if (result.vt != VT_EMPTY &&
        FAILED(VariantChangeType(&result, &result, VARIANT_ALPHABOOL, VT_BSTR)))
        fail(argument, L"not a text");
    std::wstring found = result.vt == VT_BSTR ? result.bstrVal : L"";
    VariantClear(&result);
    return found;
}

static std::wstring wide(const std::string &text) { return std::wstring(text.begin(), text.end()); }

static bool is(const std::wstring &condition) { return call(L"Eval", condition) == L"True"; }

int main(int count, char **arguments)
{
    CLSID id;
    MSG message;
    std::ostringstream script;
    std::setvbuf(stdout, nullptr, _IONBF, 0);
    // Lines as the tests of other languages have them.
    _setmode(_fileno(stdout), _O_BINARY);
    script << std::ifstream(arguments[1]).rdbuf();
    if (FAILED(CoInitializeEx(nullptr, COINIT_APARTMENTTHREADED)) ||
        FAILED(CLSIDFromProgID(L"MSScriptControl.ScriptControl", &id)) ||
        FAILED(CoCreateInstance(id, nullptr, CLSCTX_INPROC_SERVER, IID_IDispatch,
                                reinterpret_cast<void **>(&control))))
        fail(L"the script control", L"is missing");
    call(L"Language", L"VBScript", DISPATCH_PROPERTYPUT);
    call(L"AddCode", wide(script.str()));
    call(L"ExecuteStatement", L"Sell " + wide(arguments[2]));
    int at = 3;
    SetTimer(nullptr, 0, 100, nullptr);
    while (GetMessageW(&message, nullptr, 0, 0) > 0) {
        if (message.message != WM_TIMER) {
            DispatchMessageW(&message);
            continue;
        }
        std::printf("%ls\n", call(L"Eval", L"Tick()").c_str());
        if (at + 1 < count &&
            is(L"Does(\"" + wide(arguments[at]) + L"\", \"" + wide(arguments[at + 1]) + L"\")"))
            at += 2;
        else if (is(L"IsOver()"))
            break;
    }
    if (at < count)
        fail(wide(arguments[at]), L"there was no time for it");
    if (!is(L"Closes()"))
        fail(L"the form", L"does not close after a call");
    std::puts("end");
    return 0;
}
