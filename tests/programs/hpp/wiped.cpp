// Copies made for the library are wiped before they are freed: credentials and personal data.
#include "host.hpp"

#include <cstddef>
#include <cstring>
#include <new>

namespace {

const char *const SECRETS[] = {"sandbox-access-token", "sandbox-secret-key", "Asha Verma"};

int given_back = 0;

// A block's size is stored in front of it.
union Head {
    std::size_t size;
    std::max_align_t aligned;
};

} // namespace

void *operator new[](std::size_t size) {
    Head *const head = static_cast<Head *>(std::malloc(sizeof(Head) + size));
    CHECK(head != nullptr);
    head->size = size;
    return head + 1;
}

void operator delete[](void *given) noexcept {
    if (given == nullptr) {
        return;
    }
    Head *const head = static_cast<Head *>(given) - 1;
    const std::string_view left(static_cast<const char *>(given), head->size);
    for (const char *secret : SECRETS) {
        CHECK(left.find(secret) == std::string_view::npos);
    }
    ++given_back;
    std::free(head);
}

void operator delete[](void *given, std::size_t) noexcept {
    operator delete[](given);
}

void run(const std::string &config) {
    CHECK(config.find(SECRETS[0]) != std::string::npos &&
          config.find(SECRETS[1]) != std::string::npos);
    {
        const payorder::client client(config);
        CHECK_RESULT(PAYORDER_OK,
                     client.try_create_order(order_of("WIPED"),
                                             R"({"accessToken":"sandbox-access-token"})"));
        CHECK_RESULT(PAYORDER_OK, client.try_get_status(R"({"orderId":"WIPED"})",
                                                        R"({"secretKey":"sandbox-secret-key"})"));
        CHECK_RESULT(PAYORDER_OK, payorder::try_build_create_order(order_of("WIPED")));
    }
    CHECK(given_back > 20);
}
