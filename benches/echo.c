/* The least a kdb+ server can do: an epoll loop that takes the handshake and answers every message with the long 2.
   The floor under the round trip of `1+1`. Prints its port. */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

static const unsigned char answer[17] = {1, 2, 0, 0, 17, 0, 0, 0, 0xf9, 2};
static char greeted[65536];

static void serve(int poll, int fd) {
    char buffer[4096];
    ssize_t n = read(fd, buffer, sizeof buffer);
    if (n <= 0) {
        epoll_ctl(poll, EPOLL_CTL_DEL, fd, NULL);
        close(fd);
    } else if (!greeted[fd]) {
        greeted[fd] = 1;
        if (write(fd, "\3", 1) != 1) exit(1);
    } else if (write(fd, answer, sizeof answer) != sizeof answer) {
        exit(1);
    }
}

int main(void) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    int one = 1, listener = socket(AF_INET, SOCK_STREAM, 0), poll = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listener}, events[64];
    if (bind(listener, (struct sockaddr *)&at, size) || listen(listener, 128)) return 1;
    getsockname(listener, (struct sockaddr *)&at, &size);
    printf("%d\n", ntohs(at.sin_port));
    fflush(stdout);
    epoll_ctl(poll, EPOLL_CTL_ADD, listener, &event);
    for (;;) {
        int count = epoll_wait(poll, events, 64, -1);
        for (int i = 0; i < count; i++) {
            if (events[i].data.fd != listener) {
                serve(poll, events[i].data.fd);
                continue;
            }
            int fd = accept(listener, NULL, NULL);
            setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
            greeted[fd] = 0;
            event.data.fd = fd;
            epoll_ctl(poll, EPOLL_CTL_ADD, fd, &event);
        }
    }
}
