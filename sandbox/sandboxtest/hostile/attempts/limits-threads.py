# start six hundred threads
# held by: pids
import threading
stop = threading.Event()
threads = [threading.Thread(target=stop.wait) for _ in range(600)]
try:
    for thread in threads:
        thread.start()
finally:
    stop.set()
