import assert from "node:assert/strict";
import { blockedHosts, nonUrls } from "../addresses.ts";
import type { Case } from "../case.ts";
import { withReceiver } from "../receiver.ts";
import type { WebhookTransportSubject } from "./subject.ts";

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
