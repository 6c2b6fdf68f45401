import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { within } from "../bytes.ts";
import type { Case } from "../case.ts";
import { type Received, withReceiver } from "../receiver.ts";
import { bytesOf, open, refused } from "./opened.ts";
import type { ImportSourceSubject } from "./subject.ts";

const file = randomBytes(200_000);
const patience = 30_000;

/** Answers as a web server does for a file. */
const serves =
	(bytes: Uint8Array, headers: Readonly<Record<string, string>> = {}, hasRanges = true) =>
	(response: ServerResponse, { headers: asked }: Received): void => {
		const [, from] = /^bytes=(\d+)-$/.exec(asked.range ?? "") ?? [];
		const condition = asked["if-range"];
		const known = [headers["etag"], headers["last-modified"]];
		const start = hasRanges && (condition === undefined || known.includes(String(condition))) ? Number(from ?? 0) : 0;
		if (start >= bytes.length)
			return void response.writeHead(416, { "content-range": `bytes */${bytes.length}` }).end();
		const isPart = hasRanges && start > 0;
		response.writeHead(isPart ? 206 : 200, {
			"content-length": bytes.length - start,
			...(isPart && { "content-range": `bytes ${start}-${bytes.length - 1}/${bytes.length}` }),
			...headers,
		});
		response.end(bytes.subarray(start));
	};

export const fileCases: readonly Case<ImportSourceSubject>[] = [
	{
		name: "gives a file's bytes with its size, its type without parameters, and what tells it from others",
		async run({ allowing }) {
			await withReceiver(serves(file, { "content-type": "Video/MP4; codecs=x", etag: '"one"' }), async ({ url }) => {
				const { bytes, ...answer } = await open(allowing, url);
				assert.deepEqual(answer, { size: file.length, contentType: "video/mp4", validator: '"one"', offset: 0 });
				assert.ok((await bytesOf(bytes)).equals(file));
			});
		},
	},
	{
		name: "gives the rest from an offset on, and nothing at the end",
		async run({ allowing }) {
			await withReceiver(serves(file, { etag: '"one"' }), async ({ url }) => {
				const rest = await open(allowing, url, { offset: 150_000, validator: '"one"' });
				assert.deepEqual([rest.size, rest.offset, rest.validator], [file.length, 150_000, '"one"']);
				assert.ok((await bytesOf(rest.bytes)).equals(file.subarray(150_000)));
				const end = await open(allowing, url, { offset: file.length, validator: '"one"' });
				assert.deepEqual([end.size, end.offset], [file.length, file.length]);
				assert.equal((await bytesOf(end.bytes)).length, 0);
			});
		},
	},
	{
		name: "gives the whole new file where another one has taken its place",
		async run({ allowing }) {
			const other = randomBytes(100_000);
			await withReceiver(serves(other, { etag: '"two"' }), async ({ url }) => {
				const { bytes, ...answer } = await open(allowing, url, { offset: 50_000, validator: '"one"' });
				assert.deepEqual([answer.size, answer.offset, answer.validator], [other.length, 0, '"two"']);
				assert.ok((await bytesOf(bytes)).equals(other));
			});
		},
	},
	{
		name: "gives the whole file, and says so, if the origin gives no parts",
		async run({ allowing }) {
			await withReceiver(serves(file, { etag: '"one"' }, false), async ({ url }) => {
				const { bytes, offset } = await open(allowing, url, { offset: 50_000, validator: '"one"' });
				assert.equal(offset, 0);
				assert.ok((await bytesOf(bytes)).equals(file));
			});
		},
	},
	{
		name: "tells what the origin doesn't say: size, type, and what tells the file from others",
		async run({ allowing }) {
			const date = "Sat, 28 Nov 2026 10:00:00 GMT";
			await withReceiver(
				(response, { path }) => {
					// A weak tag may stay the same though bytes change.
					if (path === "/weak") response.setHeader("etag", 'W/"one"').setHeader("last-modified", date);
					response.write("bytes");
					response.end();
				},
				async ({ port }) => {
					const plain = await open(allowing, `http://127.0.0.1:${port}/plain`);
					assert.deepEqual([plain.size, plain.contentType, plain.validator], [null, null, null]);
					assert.equal((await bytesOf(plain.bytes)).toString(), "bytes");
					const weak = await open(allowing, `http://127.0.0.1:${port}/weak`);
					assert.equal(weak.validator, date);
					await bytesOf(weak.bytes);
				},
			);
		},
	},
	{
		name: "throws while bytes come, if the connection breaks off before the file's end",
		async run({ allowing }) {
			await withReceiver(
				(response) => {
					response.writeHead(200, { "content-length": file.length });
					response.write(file.subarray(0, 1000), () => setImmediate(() => response.destroy()));
				},
				async ({ url }) => {
					const { bytes } = await open(allowing, url);
					await refused(bytesOf(bytes), { code: "source_unavailable", isFinal: false });
				},
			);
		},
	},
	{
		name: "closes the connection when the iteration is left, or the signal aborts before or during it",
		async run({ allowing }) {
			const closed: (() => void)[] = [];
			const nextClosed = () => new Promise<void>((resolve) => closed.push(resolve));
			await withReceiver(
				(response) => {
					response.on("close", () => closed.shift()?.());
					response.writeHead(200, { "content-length": 10 * file.length });
					response.write(file);
				},
				async ({ url }) => {
					const request = { url, offset: 0, validator: null };
					const left = nextClosed();
					for await (const _ of (await open(allowing, url)).bytes) break;
					await within(patience, left);

					const [unread, ends] = [new AbortController(), nextClosed()];
					await allowing.open(request, unread.signal);
					unread.abort();
					await within(patience, ends);

					const [reading, ended] = [new AbortController(), nextClosed()];
					const { bytes } = await allowing.open(request, reading.signal);
					const read = bytesOf(bytes);
					reading.abort();
					await assert.rejects(within(patience, read));
					await within(patience, ended);
				},
			);
		},
	},
];
