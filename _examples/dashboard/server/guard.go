//go:build develop

package main

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// guard lets through what the page itself asks for. Any page in the browser can send requests to this machine: one whose name
// its owner turns to 127.0.0.1 after it is loaded (DNS rebinding) would be taken for the dashboard's own, and could read and
// delete studies. It has its own name in the header Host, though. One with another origin has that in Origin. And none may
// put the dashboard into a frame, where clicks go to what one does not see.
func guard(next http.Handler, hosts []string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Frame-Options", "DENY")
		w.Header().Set("Content-Security-Policy", "frame-ancestors 'none'")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		switch {
		case !knownHost(r.Host, hosts):
			http.Error(w, "This is no name of the dashboard's machine. If it should be one, start the dashboard with -hosts and the name.", http.StatusForbidden)
		case !sameOrigin(r):
			http.Error(w, "Another page's request is refused.", http.StatusForbidden)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// knownHost reports whether a browser that sends this host was not led here by a name of someone else's. Nobody but us can
// turn localhost or an IP address anywhere.
func knownHost(host string, hosts []string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.ToLower(strings.TrimSuffix(name, "."))
	if _, err := netip.ParseAddr(strings.Trim(name, "[]")); err == nil {
		return true
	}
	return name != "" && (name == "localhost" || slices.ContainsFunc(hosts, func(h string) bool { return strings.EqualFold(strings.TrimSpace(h), name) }))
}

// sameOrigin reports whether a request comes from a page of this server, or from no page at all. Browsers name the origin in
// every request that changes something.
func sameOrigin(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" && r.Method != http.MethodGet {
		return false
	}
	origins, named := r.Header["Origin"]
	if !named {
		return true
	}
	u, err := url.Parse(origins[0])
	return err == nil && len(origins) == 1 && u.Host != "" && strings.EqualFold(u.Host, r.Host)
}
