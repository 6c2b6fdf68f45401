import assert from "node:assert/strict";
import { blockedHosts, nonUrls } from "../addresses.ts";
import type { Case } from "../case.ts";
import { withReceiver } from "../receiver.ts";
import { bytesOf, open, refused } from "./opened.ts";
import type { ImportSourceSubject } from "./subject.ts";

const blocked = { code: "address_refused", isFinal: true } as const;

export const addressCases: readonly Case<ImportSourceSubject>[] = [
	{
		name: "refuses loopback, private, link-local, metadata and reserved addresses however they are written",
		async run({ guarded }) {
			for (const host of blockedHosts) {
				const url = `http://${host}:9/a.mp4`;
				await refused(open(guarded, url), blocked);
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
					for (const host of ["localhost", "127.0.0.1", "0x7f.1", "[::ffff:127.0.0.1]"])
						await refused(open(guarded, `http://${host}:${port}/`), blocked);
					assert.deepEqual([received.length, connections()], [0, 0]);
				},
			);
		},
	},
	{
		name: "reaches what the operator allowed, and still refuses the rest, also where it is redirected to it",
		async run({ allowing }) {
			await withReceiver(
				(response, { path }) =>
					path === "/hook"
						? response.end("bytes")
						: response.writeHead(302, { location: `http://${path?.slice(1)}/a.mp4` }).end(),
				async ({ url, port }) => {
					assert.equal((await bytesOf((await open(allowing, url)).bytes)).toString(), "bytes");
					for (const host of ["10.0.0.1", "169.254.169.254", "0.0.0.0", "[fe80::1]", "[::ffff:10.0.0.1]"]) {
						await refused(open(allowing, `http://${host}/a.mp4`), blocked);
						await refused(open(allowing, `http://127.0.0.1:${port}/${host}`), blocked);
						assert.equal(typeof allowing.refusal(`http://${host}/`), "string");
					}
				},
			);
			assert.equal(allowing.refusal("http://127.0.0.1:8080/a.mp4"), null);
		},
	},
	{
		name: "tells which URLs may be stored, without resolving a name",
		async run({ guarded }) {
			for (const url of [
				"https://example.com/a.mp4",
				"http://ada:secret@example.com:8080/a?b=c",
				"https://no-such-host.invalid/",
				"https://8.8.8.8/",
				"https://[2606:4700::1111]/",
			])
				assert.equal(guarded.refusal(url), null, url);
			for (const url of nonUrls) assert.equal(typeof guarded.refusal(url), "string", url);
		},
	},
];
