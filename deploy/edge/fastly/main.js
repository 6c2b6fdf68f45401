import { SimpleCache } from "fastly:cache";
import { CacheOverride } from "fastly:cache-override";
import { setReusableSandboxOptions } from "fastly:experimental";
import { createEdge } from "@reelmill/edge";

// What is known of the feeds lies in the memory of a sandbox.
setReusableSandboxOptions({ maxRequests: 0, betweenRequestTimeoutMs: 10_000 });

// An entry is the length of its text, the text, and bytes.
const cache = {
	async get(key) {
		const found = SimpleCache.get(key);
		if (found === null) return undefined;
		const entry = await found.arrayBuffer();
		const length = new DataView(entry).getUint32(0);
		const about = new TextDecoder().decode(new Uint8Array(entry, 4, length));
		return { about, bytes: new Uint8Array(entry, 4 + length) };
	},
	async set(key, { about, bytes }, seconds) {
		const text = new TextEncoder().encode(about);
		const entry = new Uint8Array(4 + text.length + bytes.length);
		new DataView(entry.buffer).setUint32(0, text.length);
		entry.set(text, 4);
		entry.set(bytes, 4 + text.length);
		SimpleCache.set(key, entry, seconds);
	},
};

let edge;

async function answer({ request, client, waitUntil }) {
	// In a program's first lines there is neither chance nor time.
	edge ??= createEdge({
		service: "https://origin.example.com",
		domains: ["6f1c2f0e-2f0b-4e0a-9d51-0a5a4f1f6a11"],
		cache,
		origin: ({ method, target, headers }) =>
			fetch(`https://origin.example.com${target}`, {
				method,
				headers,
				backend: "service",
				cacheOverride: new CacheOverride("pass"),
			}),
		shared: false,
		warn: console.warn,
	});
	const { pathname, search } = new URL(request.url);
	return edge.handle({
		method: request.method,
		target: pathname + search,
		headers: request.headers,
		clientAddress: client.address,
		later: waitUntil,
	});
}

addEventListener("fetch", (event) => {
	const { request, client } = event;
	event.respondWith(answer({ request, client, waitUntil: (work) => event.waitUntil(work) }));
});
