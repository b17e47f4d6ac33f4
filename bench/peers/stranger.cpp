// SPDX-License-Identifier: BSL-1.0
// A stranger: keeps one core busy until it is stopped, its parent ends, or its time is up.
//   tutti_stranger CORE SECONDS
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: tutti_stranger CORE SECONDS\n", stderr);
    return 2;
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  alarm(static_cast<unsigned>(std::atoi(argv[2])));
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(static_cast<unsigned>(std::atoi(argv[1])), &only);
  if (sched_setaffinity(0, sizeof only, &only) != 0) {
    std::perror("tutti_stranger: cannot be bound to its core");
    return 1;
  }
  for (volatile unsigned long turns = 0;;) turns = turns + 1;
}
