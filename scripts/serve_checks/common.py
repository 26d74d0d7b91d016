"""What the checks of the service share: counting, and the service itself."""

import os
import re
import subprocess
import sys
import threading
import traceback

# Against what hangs, and nothing else: no check depends on how fast the machine is. In seconds.
LONGEST = 300

passed = 0


def check(what, is_so):
    global passed
    if not is_so:
        raise AssertionError(f"not so: {what}")
    passed += 1


def run(name, main):
    """Runs checks. The last line says how many have passed; the first that fails ends them."""
    try:
        main()
    except BaseException:
        traceback.print_exc(file=sys.stdout)
        print(f"{name}: {passed} passed, 1 failed")
        sys.exit(1)
    print(f"{name}: {passed} passed, 0 failed")


class Service:
    """The program as a service, on a port of its own. It ends at the end of a `with`."""

    def __init__(self, program, *options):
        command = [program, "serve", "--listen", "127.0.0.1:0", *map(str, options)]
        environment = {**os.environ, "UNFRAME_LOG": "warn"}
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment)
        self.lines = []
        for line in self.process.stderr:
            self.lines.append(line)
            if found := re.search(r"http://([\d.]+):(\d+)", line):
                self.address, self.place = found[0], (found[1], int(found[2]))
                break
        else:
            raise AssertionError(f"the service does not start: {self.log}")
        self.reader = threading.Thread(target=lambda: self.lines.extend(self.process.stderr), daemon=True)
        self.reader.start()

    @property
    def log(self):
        return "".join(self.lines)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()

    def kill(self):
        """Ends it at once, and waits until all that it has said is in the log."""
        self.process.kill()
        self.process.wait()
        self.reader.join()

    def end(self):
        """Asks it to end, and checks that it does so well."""
        self.process.terminate()
        code = self.process.wait(LONGEST)
        self.reader.join()
        check(f"the service ends well: {code} {self.log}", code == 0 and "panicked" not in self.log)
