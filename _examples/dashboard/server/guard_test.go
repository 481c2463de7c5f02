//go:build develop

package main

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"
)

// What other pages can send does not reach the dashboard, whatever it asks for.
func TestGuard(t *testing.T) {
	for _, test := range []struct {
		method, host string
		header       map[string]string
		want         int
		why          string
	}{
		{"GET", "127.0.0.1:8000", nil, 200, "the page's own address"},
		{"GET", "localhost:8000", nil, 200, "its other name"},
		{"GET", "LOCALHOST.:8000", nil, 200, "the same"},
		{"GET", "localhost:9000", nil, 200, "through a tunnel"},
		{"GET", "[::1]:8000", nil, 200, "IPv6"},
		{"GET", "192.168.1.7", nil, 200, "an address can't be rebound"},
		{"GET", "tuner.example:8000", nil, 200, "a name that was given"},
		{"DELETE", "127.0.0.1:8000", nil, 200, "a program, such as curl"},
		{"DELETE", "127.0.0.1:8000", map[string]string{"Origin": "http://127.0.0.1:8000"}, 200, "the page deletes a study"},
		{"DELETE", "[::1]:8000", map[string]string{"Origin": "http://[::1]:8000", "Sec-Fetch-Site": "same-origin"}, 200, "the same, IPv6"},

		{"GET", "evil.example:8000", nil, 403, "DNS rebinding reads"},
		{"DELETE", "evil.example:8000", map[string]string{"Origin": "http://evil.example:8000"}, 403, "DNS rebinding deletes"},
		{"GET", "localhost.evil.example", nil, 403, "a name that only begins well"},
		{"GET", "127.0.0.1.evil.example", nil, 403, "an address that only begins well"},
		{"GET", "evil.tuner.example", nil, 403, "a name that only ends well"},
		{"GET", "", nil, 403, "no host"},
		{"DELETE", "127.0.0.1:8000", map[string]string{"Origin": "http://evil.example"}, 403, "another page"},
		{"DELETE", "127.0.0.1:8000", map[string]string{"Origin": "http://127.0.0.1:9999"}, 403, "another server of this machine"},
		{"DELETE", "127.0.0.1:8000", map[string]string{"Origin": "null"}, 403, "a sandboxed frame"},
		{"DELETE", "127.0.0.1:8000", map[string]string{"Origin": ""}, 403, "an empty origin"},
		{"POST", "localhost:8000", map[string]string{"Origin": "http://localhost.evil.example:8000"}, 403, "a name that only begins well"},
		{"POST", "localhost:8000", map[string]string{"Sec-Fetch-Site": "cross-site"}, 403, "a browser that hides the origin"},
		{"GET", "localhost:8000", map[string]string{"Origin": "http://evil.example"}, 403, "another page reads"},
	} {
		reached := false
		handler := guard(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }), []string{"tuner.example", ""})
		request := httptest.NewRequest(test.method, "/api/studies/1", nil)
		request.Host = test.host
		for key, value := range test.header {
			request.Header.Set(key, value)
		}
		recorder := httptest.NewRecorder()
		handler.ServeHTTP(recorder, request)
		if recorder.Code != test.want || reached != (test.want == 200) {
			t.Errorf("%s %s %v: %d, reached %t; want %d: %s", test.method, test.host, test.header, recorder.Code, reached, test.want, test.why)
		}
		if header := recorder.Header(); header.Get("X-Frame-Options") != "DENY" ||
			!strings.Contains(header.Get("Content-Security-Policy"), "frame-ancestors 'none'") {
			t.Errorf("%s: may be framed: %v", test.why, header)
		}
	}
}

// Study names reach the terminal as text.
func TestAnnounce(t *testing.T) {
	var out strings.Builder
	announce(&out, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8000}, "study.db", []goptuna.StudySummary{
		{ID: 1, Name: "\x1b]0;owned\a\x1b[31mred\r\nline\u202egnp.exe\u009b2J"},
		{ID: 2, Name: "Größe 大小"},
	})
	for _, r := range out.String() {
		if r != '\n' && (r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u202e') {
			t.Errorf("%q is printed in %q", r, out.String())
		}
	}
	for _, want := range []string{"http://127.0.0.1:8000/dashboard\n", "/studies/1  ", "red", "/studies/2  Größe 大小\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in %q", want, out.String())
		}
	}
}
