vcl 4.1;
# An edge on Varnish 7.1, as Debian 12 has it: apt-get install varnish
# reelmill-authoriser.mjs beside this file decides and asks the service; Varnish keeps the bytes. Each request goes to it
# first. It answers 204 with a scope if Varnish may look in its cache, and in all other cases with what the viewer gets.
import std;

backend authoriser {
	.host = "127.0.0.1";
	.port = "8790";
	.first_byte_timeout = 35s;
	.between_bytes_timeout = 35s;
}

sub vcl_recv {
	if (req.restarts == 0) {
		# These are the authoriser's words, never a viewer's.
		unset req.http.Reelmill-Edge-Scope;
		unset req.http.X-Edge-Id;
		unset req.http.If-Modified-Since;
		# The address that the service counts. A proxy that ends TLS in front of Varnish speaks the PROXY protocol.
		set req.http.X-Forwarded-For = client.ip;
		# Several ranges, and what is no range, mean the whole file. Varnish would refuse them.
		if (req.http.Range ~ "(?i)^bytes=[ \t]*([0-9]+-[0-9]*|-[0-9]+)[ \t]*$") {
			set req.http.Range = regsub(req.http.Range, "^[^=]*=[ \t]*([0-9]*-[0-9]*).*$", "bytes=\1");
			# Varnish reckons with fewer digits.
			set req.http.Range = regsub(req.http.Range, "-[0-9]{16,}$", "-999999999999999");
			set req.http.Range = regsub(req.http.Range, "=([0-9]{16,}-.*|-0+)$", "=999999999999999-");
			if (std.integer(regsub(req.http.Range, "^bytes=(.*)-.*$", "\1"), 0)
				> std.integer(regsub(req.http.Range, "^.*-", ""), 999999999999999)) {
				unset req.http.Range;
			}
		} else {
			unset req.http.Range;
		}
	}
	if (req.http.Reelmill-Edge-Scope && req.http.Reelmill-Edge-Scope != "none") {
		return (hash);
	}
	if (req.method == "PRI") {
		return (synth(405));
	}
	return (pass);
}

sub vcl_hash {
	# A scope has the domain, the sandbox session, the file, and the state of its video: another one after each change.
	hash_data(req.http.Reelmill-Edge-Scope);
	return (lookup);
}

sub vcl_miss {
	# Varnish fetches whole files. It begins one for who begins to watch; for others the authoriser fetches parts.
	if (req.method == "HEAD" || req.http.Range ~ "[0-9]{8}-" || req.http.Range ~ "=-") {
		set req.http.Reelmill-Edge-Scope = "none";
		return (pass);
	}
	return (fetch);
}

sub vcl_backend_response {
	if (bereq.uncacheable || bereq.http.Reelmill-Edge-Scope == "none") {
		return (deliver);
	}
	set beresp.grace = 0s;
	if (beresp.http.Reelmill-Edge-Keep == "yes") {
		# Who may have it is decided for each request; how it depends on the origin is kept.
		if (beresp.http.Vary) {
			set beresp.http.X-Edge-Vary = beresp.http.Vary;
		}
		if (beresp.http.Vary ~ "(?i)\borigin\b") {
			set beresp.http.Vary = "Origin";
		} else {
			unset beresp.http.Vary;
		}
		if (beresp.http.Access-Control-Allow-Origin == "") {
			unset beresp.http.Access-Control-Allow-Origin;
		}
		if (beresp.http.Content-Type ~ "^(video|audio|image)/") {
			set beresp.ttl = 1h;
		} else {
			set beresp.ttl = 10s;
		}
		# After that, the service is asked whether the file is still the same.
		set beresp.keep = 23h;
	} else if (beresp.http.Reelmill-Edge-Keep == "refusal") {
		set beresp.ttl = 2s;
		set beresp.keep = 0s;
	} else {
		set beresp.ttl = 2s;
		set beresp.uncacheable = true;
	}
	return (deliver);
}

sub vcl_backend_error {
	# The authoriser can't be reached.
	set beresp.http.Cache-Control = "no-store";
	set beresp.body = "";
	return (deliver);
}

sub vcl_deliver {
	if (req.restarts == 0 && resp.status == 204 && resp.http.Reelmill-Edge-Scope) {
		set req.http.Reelmill-Edge-Scope = resp.http.Reelmill-Edge-Scope;
		set req.http.X-Edge-Id = resp.http.X-Request-Id;
		return (restart);
	}
	if (req.http.Reelmill-Edge-Scope && req.http.Reelmill-Edge-Scope != "none") {
		# What is no file, and a range outside of it, the authoriser answers.
		if (resp.status != 200 ||
			std.integer(regsub(req.http.Range, "^bytes=([0-9]+)-.*$", "\1"), 0)
				>= std.integer(resp.http.Content-Length, 0)) {
			set req.http.Reelmill-Edge-Scope = "none";
			return (restart);
		}
		if (req.http.If-None-Match ~ "^[ \t]*\*[ \t]*$" || std.strstr(req.http.If-None-Match, resp.http.ETag)) {
			set resp.status = 304;
			unset resp.http.Accept-Ranges;
			unset resp.http.Content-Length;
			unset resp.http.Content-Type;
		}
		set resp.http.X-Request-Id = req.http.X-Edge-Id;
		unset resp.http.Vary;
		if (resp.http.X-Edge-Vary) {
			set resp.http.Vary = resp.http.X-Edge-Vary;
		}
		# The address names an edit, and what is kept was never changed: the viewer's own cache must not keep it.
		if (req.url ~ "[?&]v=" && resp.http.Cache-Control == "public, max-age=86400") {
			set resp.http.Cache-Control = "public, no-cache";
		}
		set resp.http.Cache-Status = "reelmill-edge; fwd=miss";
		if (obj.hits > 0) {
			set resp.http.Cache-Status = "reelmill-edge; hit";
		}
	}
	unset resp.http.X-Edge-Vary;
	unset resp.http.Reelmill-Edge-Keep;
	unset resp.http.Reelmill-Edge-Scope;
	unset resp.http.X-Varnish;
	unset resp.http.Via;
	return (deliver);
}
