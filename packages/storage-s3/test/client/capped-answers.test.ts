import type { ServerResponse } from "node:http";
import { createBucketOpener } from "@reelmill/storage-s3";
import { expect, it } from "vitest";
import { provesShortTurns } from "../../../../scripts/test/worst-texts.ts";
import { patience } from "../support/patience.ts";
import { openScriptedServer } from "../support/scripted-server.ts";

const MiB = 1024 * 1024;
/** Returns an element with `piece` repeated up to `bytes`. */
const filled = (piece: string, bytes: number): string =>
	`<L>${piece.repeat(Math.floor((bytes - 7) / piece.length))}</L>`;
const entry =
	"<Contents><Key>a/1</Key><ETag>&quot;d41d8cd98f00b204e9800998ecf8427e&quot;</ETag><Size>1</Size></Contents>";

/** Texts that take an XML reader long. A new trick is a row here. */
const worst: readonly (readonly [what: string, xml: (bytes: number) => string])[] = [
	["entries", (bytes) => filled(entry, bytes)],
	["declarations", (bytes) => "<!DOCTYPE>".repeat(Math.floor(bytes / 10))],
	["elements", (bytes) => filled("<a/>", bytes)],
	["elements in one another", (bytes) => "<a>".repeat(Math.floor(bytes / 3))],
	["texts", (bytes) => filled(`<a>${"a".repeat(8000)}</a>`, bytes)],
	["text and elements", (bytes) => filled(`${"a".repeat(70)}<a/>`, bytes)],
	["text", (bytes) => filled("a", bytes)],
	["entities", (bytes) => filled("&lt;", bytes)],
	[
		"attributes",
		(bytes) => `<L ${Array.from({ length: Math.floor(bytes / 12) }, (_, n) => `a${n}=""`).join(" ")}></L>`,
	],
	["instructions", (bytes) => filled("<??>", bytes)],
	["a name without end", (bytes) => `<${"a".repeat(bytes - 1)}`],
	["blanks", (bytes) => " ".repeat(bytes)],
	["returns", (bytes) => "\r".repeat(bytes)],
];

it.each(
	worst.flatMap(([what, xml]) =>
		[MiB, 250 * 1024].flatMap((bytes) => [200, 500].map((status) => [what, bytes, status, xml] as const)),
	),
)(
	"holds the event loop for milliseconds over an answer of %s, %d bytes with status %d",
	async (_, bytes, status, xml) => {
		const body = Buffer.from(xml(bytes));
		const server = await openScriptedServer(
			(__, response) => void response.writeHead(status, { "content-type": "application/xml" }).end(body),
		);
		const bucket = createBucketOpener({ allow: [], attempts: 1, ...patience }).open(server.bucket);
		const thrown = () => Array.fromAsync(bucket.outputs.list("a/")).catch((error: unknown) => error);
		await provesShortTurns(thrown);
		expect(await thrown()).toMatchObject({ name: "StorageError", fault: "failed" });
		await bucket.close();
		await server.close();
	},
);

/** Writes `chunk` for as long as the client takes it. Returns how many bytes it took. */
async function endless(response: ServerResponse, chunk: Uint8Array): Promise<number> {
	let bytes = 0;
	const closed = new Promise((resolve) => response.once("close", resolve));
	while (!response.destroyed && bytes < 1024 * MiB) {
		bytes += chunk.length;
		if (!response.write(chunk)) await Promise.race([new Promise((resolve) => response.once("drain", resolve)), closed]);
	}
	return bytes;
}

it.each([
	["a list", 200, " "],
	["an error", 500, " "],
	["a refusal", 403, "<"],
])("reads no more than a little of %s without end, and ends the connection", async (_, status, character) => {
	let taken: Promise<number> | undefined;
	const server = await openScriptedServer((__, response) => {
		taken = endless(response.writeHead(status, { "content-type": "application/xml" }), Buffer.alloc(65_536, character));
	});
	const bucket = createBucketOpener({ allow: [], attempts: 1, ...patience }).open(server.bucket);
	await expect(Array.fromAsync(bucket.outputs.list("a/"))).rejects.toMatchObject({ name: "StorageError" });
	expect(await taken).toBeLessThan(16 * MiB);
	await bucket.close();
	await server.close();
});

it("gives up a list that drips within the time that somebody waits for an answer", async () => {
	const server = await openScriptedServer((_, response) => {
		const drip = setInterval(() => response.write(" "), 20);
		response.once("close", () => clearInterval(drip));
		response.writeHead(200, { "content-type": "application/xml" });
	});
	const bucket = createBucketOpener({ allow: [], attempts: 1, answerTimeoutMilliseconds: 500 }).open(server.bucket);
	await expect(Array.fromAsync(bucket.outputs.list("a/"))).rejects.toMatchObject({
		name: "StorageError",
		fault: "unreachable",
	});
	await bucket.close();
	await server.close();
});

it("takes no byte more of an object than it asked for, however many come without a length", async () => {
	let taken: Promise<number> | undefined;
	const server = await openScriptedServer((_, response) => {
		taken = endless(response.writeHead(206, { etag: '"e"', "content-range": "bytes 0-4/100" }), Buffer.alloc(65_536));
	});
	const bucket = createBucketOpener({ allow: [], attempts: 1, ...patience }).open(server.bucket);
	await expect(bucket.outputs.get("a", { start: 0, end: 4 })).rejects.toMatchObject({
		name: "StorageError",
		fault: "failed",
	});
	expect(await taken).toBeLessThan(16 * MiB);
	await bucket.close();
	await server.close();
});

it("ends the connection of an object that is left before it is read", async () => {
	let taken: Promise<number> | undefined;
	const server = await openScriptedServer((_, response) => {
		taken = endless(
			response.writeHead(200, { etag: '"e"', "content-length": String(4096 * MiB) }),
			Buffer.alloc(65_536),
		);
	});
	const bucket = createBucketOpener({ allow: [], ...patience }).open(server.bucket);
	const found = await bucket.outputs.get("a");
	await found?.bytes[Symbol.asyncIterator]().return?.();
	expect(await taken).toBeLessThan(16 * MiB);
	await bucket.close();
	await server.close();
});

it.each([
	["the same page again and again", () => "a/1"],
	["keys that weren't asked for", (page: number) => `b/${page}`],
])("gives up a list of %s", async (_, keyOf) => {
	let pages = 0;
	const server = await openScriptedServer((__, response) => {
		pages += 1;
		const xml = `<L><IsTruncated>true</IsTruncated><NextContinuationToken>x</NextContinuationToken><Contents><Key>${keyOf(pages)}</Key><Size>1</Size></Contents></L>`;
		response.writeHead(200, { "content-type": "application/xml" }).end(xml);
	});
	const bucket = createBucketOpener({ allow: [], ...patience }).open(server.bucket);
	await expect(Array.fromAsync(bucket.outputs.list("a/"))).rejects.toMatchObject({
		name: "StorageError",
		fault: "failed",
	});
	expect(pages).toBeLessThan(3);
	await bucket.close();
	await server.close();
});
