import assert from "node:assert/strict";
import type { Case } from "../case.ts";
import { withReceiver } from "./receiver.ts";
import type { WebhookTransportSubject } from "./subject.ts";

/** Every way to write an address that must not be reached, with the host as a URL takes it. */
const blockedHosts: readonly string[] = [
	"127.0.0.1",
	"127.1",
	"0x7f.1",
	"0x7f000001",
	"2130706433",
	"0177.0.0.1",
	"127.0.0.1.",
	"%31%32%37.0.0.1",
	"①②⑦.0.0.1",
	"0",
	"0.0.0.0",
	"0.1.2.3",
	"10.1.2.3",
	"100.64.0.1",
	"169.254.169.254",
	"172.16.0.1",
	"172.31.255.255",
	"192.0.0.1",
	"192.0.2.1",
	"192.168.1.1",
	"198.18.0.1",
	"198.51.100.1",
	"203.0.113.1",
	"224.0.0.1",
	"240.0.0.1",
	"255.255.255.255",
	"[::]",
	"[::1]",
	"[::127.0.0.1]",
	"[::ffff:127.0.0.1]",
	"[::ffff:7f00:1]",
	"[::ffff:10.0.0.1]",
	"[::ffff:0:127.0.0.1]",
	"[64:ff9b::127.0.0.1]",
	"[64:ff9b:1::1]",
	"[2002:7f00:1::1]",
	"[2001:0:7f00:1::1]",
	"[2001:db8::1]",
	"[100::1]",
	"[fc00::1]",
	"[fd12:3456::1]",
	"[fe80::1]",
	"[fec0::1]",
	"[ff02::1]",
];
const nonUrls = [
	"",
	"nothing",
	"ftp://example.com/",
	"file:///etc/passwd",
	"http://",
	"javascript:alert(1)",
	"http://exa mple.com/",
	"http://example.com:99999/",
];

const body = Buffer.from("{}");

export const addressCases: readonly Case<WebhookTransportSubject>[] = [
	{
		name: "refuses loopback, private, link-local, metadata and reserved addresses however they are written",
		async run({ guarded }) {
			for (const host of blockedHosts) {
				const url = `http://${host}:9/hook`;
				assert.deepEqual(
					await guarded.send({ url, headers: {}, body }),
					{ status: null, error: "blocked_address" },
					url,
				);
				assert.equal(typeof guarded.refusal(url), "string", url);
			}
		},
	},
	{
		name: "refuses a name that stands for a blocked address, and opens no connection",
		async run({ guarded }) {
			await withReceiver(
				(response) => response.end(),
				async ({ port, received, connections }) => {
					for (const host of ["localhost", "127.0.0.1", "0x7f.1", "[::ffff:127.0.0.1]"]) {
						assert.deepEqual(await guarded.send({ url: `http://${host}:${port}/`, headers: {}, body }), {
							status: null,
							error: "blocked_address",
						});
					}
					assert.deepEqual([received.length, connections()], [0, 0]);
				},
			);
		},
	},
	{
		name: "reaches what the operator allowed, and still refuses the rest",
		async run({ allowing }) {
			await withReceiver(
				(response) => response.end(),
				async ({ port, received }) => {
					for (const host of ["127.0.0.1", "0x7f.1", "[::ffff:127.0.0.1]"]) {
						const result = await allowing.send({ url: `http://${host}:${port}/`, headers: {}, body });
						// A mapped address is the same receiver if the system has IPv6, and no connection if it has none.
						assert.ok(
							result.error === null || (host.startsWith("[") && result.error === "connection_failed"),
							`${host}: ${result.error}`,
						);
					}
					assert.ok(received.length >= 2);
				},
			);
			for (const host of ["10.0.0.1", "169.254.169.254", "0.0.0.0", "[fe80::1]"]) {
				assert.deepEqual(await allowing.send({ url: `http://${host}/`, headers: {}, body }), {
					status: null,
					error: "blocked_address",
				});
				assert.equal(typeof allowing.refusal(`http://${host}/`), "string");
			}
			assert.equal(allowing.refusal("http://127.0.0.1:8080/hook"), null);
		},
	},
	{
		name: "tells which URLs may be stored, without resolving a name",
		async run({ guarded }) {
			for (const url of [
				"https://example.com/hook",
				"http://example.com:8080/a?b=c",
				"https://no-such-host.invalid/",
				"https://8.8.8.8/",
				"https://[2606:4700::1111]/",
			])
				assert.equal(guarded.refusal(url), null, url);
			for (const url of nonUrls) assert.equal(typeof guarded.refusal(url), "string", url);
		},
	},
	{
		name: "answers invalid_url for what is no URL of http or https",
		async run({ guarded }) {
			for (const url of nonUrls)
				assert.deepEqual(await guarded.send({ url, headers: {}, body }), { status: null, error: "invalid_url" }, url);
		},
	},
];
