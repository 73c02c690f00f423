package deps

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"

	"golang.org/x/sys/unix"

	"majordomo/sandbox"
)

// meeting lets the first two sandboxes start only when both are about to.
type meeting struct {
	recorder
	both sync.WaitGroup
	come sync.Mutex
	left int
}

func (m *meeting) Start(ctx context.Context, s sandbox.Spec) (*sandbox.Process, error) {
	m.come.Lock()
	waits := m.left > 0
	m.left--
	m.come.Unlock()
	if waits {
		m.both.Done()
		m.both.Wait()
	}
	return m.recorder.Start(ctx, s)
}

// Two connectors are installed at once. Where there is no pid namespace what is left of one is killed by its uid, which therefore must
// not be the other's. What a connector downloaded stays its own, whatever uid it had before.
func TestBuildsHaveTheirOwnUID(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skipf("%s skipped: builds of an ordinary user all have the user's uid", t.Name())
	}
	r := newNPMRegistry(t, greeter("1.0.0", "hello"))
	l := npmLab(t, Options{}, r)
	here := &meeting{recorder: recorder{Starter: l.host}, left: 2}
	here.both.Add(2)
	l.builder.o.Sandbox = here
	one := connector(t, l.state, map[string]string{"package.json": depends("greeter", "1.0.0")})
	two := one
	two.ID, two.Dir = "other", filepath.Join(l.state, "connectors/other")
	write(t, filepath.Join(two.Dir, "package.json"), depends("greeter", "1.0.0")+"\n")
	kept := filepath.Join(l.builder.o.Paths.DepsCache("other"), "npm", "kept")
	write(t, kept, "downloaded before")
	if err := os.Chown(kept, DefaultUID-7, DefaultUID-7); err != nil {
		t.Fatal(err)
	}
	var both sync.WaitGroup
	for _, p := range []Package{one, two} {
		both.Go(func() {
			if _, err := l.builder.Ensure(t.Context(), p, nil); err != nil {
				t.Error(err)
			}
		})
	}
	both.Wait()
	if a, b := here.specs[0].UID, here.specs[1].UID; a == b || a == 0 || b == 0 {
		t.Errorf("two builds at once have the uids %d and %d", a, b)
	}
	var st unix.Stat_t
	if err := unix.Stat(kept, &st); err != nil || int(st.Uid) != uidOfBuilds("other") {
		t.Errorf("what was downloaded before belongs to %d, %v", st.Uid, err)
	}
}

// As many connectors as there are uids build at once, however they are called; one more, and the next build of one of them, wait for
// somebody to finish, or until nobody wants them.
func TestUIDsRunOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var u uids
		gives := map[int]func(){}
		for n := range buildUIDs {
			uid, give, err := u.take(t.Context(), 1000, fmt.Sprint("connector", n))
			if err != nil || gives[uid] != nil || uid < 1000 || uid >= 1000+buildUIDs {
				t.Fatalf("number %d got %d, %v", n, uid, err)
			}
			gives[uid] = give
		}
		impatient, cancel := context.WithCancel(t.Context())
		cancel()
		if _, _, err := u.take(impatient, 1000, "late"); !errors.Is(err, context.Canceled) {
			t.Errorf("it did not wait: %v", err)
		}
		got := make(chan int)
		go func() {
			uid, _, _ := u.take(t.Context(), 1000, "late")
			got <- uid
		}()
		synctest.Wait()
		for uid, give := range gives {
			give()
			if late := <-got; late != uid {
				t.Errorf("%d was free, and %d was given", uid, late)
			}
			break
		}
	})
}

// One connector's builds follow one another.
func TestOneConnectorOneUID(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var u uids
		first, give, err := u.take(t.Context(), 1000, "demo")
		if err != nil {
			t.Fatal(err)
		}
		got := make(chan int, 1)
		go func() {
			uid, _, _ := u.take(t.Context(), 1000, "demo")
			got <- uid
		}()
		synctest.Wait()
		if len(got) > 0 {
			t.Fatal("it did not wait")
		}
		give()
		if second := <-got; second != first {
			t.Errorf("first %d, then %d", first, second)
		}
	})
}
