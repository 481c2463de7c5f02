//go:build develop

// Server is what the dashboard example builds and starts: see the directory above. It can be started by itself, too:
//
//	go run -tags develop ./_examples/dashboard/server -storage sqlite://quickstart.db
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"
	"unicode"

	"github.com/c-bata/goptuna"
	"github.com/c-bata/goptuna/dashboard"
)

func main() {
	flags := flag.NewFlagSet("dashboard", flag.ExitOnError)
	storageURL := flags.String("storage", os.Getenv("STORAGE"),
		"where the study is: sqlite://quickstart.db, mysql://user:password@host/database or postgres://user:password@host/database; "+
			"or set STORAGE, which ps does not show")
	addr := flags.String("addr", "127.0.0.1:8000", "address to listen on; as it is, only this machine can connect")
	hosts := flags.String("hosts", "", "further names, with commas between, by which browsers may call this machine; localhost and IP addresses need none")
	flags.Parse(os.Args[1:])

	// Ctrl-C may come twice, from the terminal and from the program that started this one.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()

	if err := run(ctx, *storageURL, *addr, strings.Split(*hosts, ",")); err != nil && ctx.Err() == nil {
		fmt.Fprintln(os.Stderr, "dashboard:", err)
		os.Exit(1)
	}
}

// run serves the dashboard until ctx ends. What can go wrong at once goes wrong first: the page may take minutes to build.
func run(ctx context.Context, storageURL, addr string, hosts []string) (err error) {
	storage, err := openStorage(storageURL)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, storage.Close()) }()
	studies, err := storage.GetAllStudySummaries()
	if err != nil {
		return fmt.Errorf("cannot read the studies in %s: %w", nameOf(storageURL), err)
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return fmt.Errorf("cannot listen on %s (choose another address, such as -addr 127.0.0.1:8001): %w", addr, err)
	}
	defer listener.Close()
	page, err := buildPage(ctx)
	if err != nil {
		return err
	}
	handler, err := newHandler(storage, page)
	if err != nil {
		return err
	}

	announce(os.Stdout, listener.Addr().(*net.TCPAddr), nameOf(storageURL), studies)
	server := &http.Server{Handler: guard(handler, hosts), ReadHeaderTimeout: 10 * time.Second}
	context.AfterFunc(ctx, func() {
		patience, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		server.Shutdown(patience)
	})
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// newHandler returns Goptuna's dashboard on the storage. The page is the path of the script that draws it.
func newHandler(storage goptuna.Storage, page string) (http.Handler, error) {
	// Goptuna's package, built with the tag "develop", registers the files in this directory.
	if err := os.Setenv("GOPTUNA_DASHBOARD_STATIC_ROOT", filepath.Dir(page)); err != nil {
		return nil, err
	}
	goptunas, err := dashboard.NewServer(finite{storage})
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("/", goptunas)
	// The script again, because Goptuna's way to its URL is not that of Windows.
	mux.HandleFunc("GET /static/bundle.js", func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, page) })
	mux.HandleFunc("GET /api/studies/{id}", func(w http.ResponseWriter, r *http.Request) { serveDetail(w, r, goptunas, storage) })
	return mux, nil
}

// announce says where to look, and who else can.
func announce(out io.Writer, addr *net.TCPAddr, name string, studies []goptuna.StudySummary) {
	host := addr.String()
	if addr.IP.IsUnspecified() {
		host = fmt.Sprintf("localhost:%d", addr.Port)
	}
	url := "http://" + host + "/dashboard"
	fmt.Fprintf(out, "The dashboard of %s, until Ctrl-C:\n\n  %s\n", printable(name), url)
	const most = 5 // the newest
	for _, s := range studies[max(0, len(studies)-most):] {
		fmt.Fprintf(out, "  %s/studies/%d  %s\n", url, s.ID, printable(s.Name))
	}
	fmt.Fprintln(out)
	if !addr.IP.IsLoopback() {
		fmt.Fprintf(out, "There is no password: whoever can connect to port %d of this machine can read the studies and delete them.\n", addr.Port)
	}
}

// printable returns a text without what a terminal would obey, such as the codes that rename its window or turn the text
// around: anyone who may write to the database chooses the names of studies.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, text)
}
