// The same with GLib's main loop, as GTK has it:
//
//     c++ -std=c++17 glib.cpp $(pkg-config --cflags --libs glib-2.0 payorder) -o till
//     ./till AMOUNT ORDER_ID, until it is paid, or Ctrl-C
#include "desk.hpp"

#include <glib-unix.h>

#include <csignal>
#include <cstdio>

namespace {

struct till {
    GMainLoop *loop;
    desk sales;
};

gboolean answers(gint, GIOCondition, gpointer data) {
    till &one = *static_cast<till *>(data);
    one.sales.take_answers();
    if (one.sales.is_idle()) {
        g_main_loop_quit(one.loop);
    }
    return G_SOURCE_CONTINUE;
}

gboolean stop(gpointer data) {
    static_cast<till *>(data)->sales.stop();
    return G_SOURCE_CONTINUE;
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 3) {
        std::fputs("usage: till AMOUNT ORDER_ID\n", stderr);
        return 2;
    }
    try {
        const auto show = [](const std::string &order_id, const std::string &text) {
            std::printf("%s: %s\n", order_id.c_str(), text.c_str());
            std::fflush(stdout); // the customer waits for it
        };
        till one{g_main_loop_new(nullptr, FALSE), desk(open_client(), show)};
        g_unix_fd_add(static_cast<gint>(one.sales.handle()), G_IO_IN, answers, &one);
        g_unix_signal_add(SIGINT, stop, &one);
        one.sales.sell(argv[1], argv[2]);
        if (!one.sales.is_idle()) {
            g_main_loop_run(one.loop);
        }
        g_main_loop_unref(one.loop);
        return 0;
    } catch (const payorder::error &error) {
        std::fprintf(stderr, "till: %s\n", error.what());
        return 1;
    }
}
