import type { RequestListener } from "node:http";
import { createBucketOpener } from "@reelmill/storage-s3";
import { expect, it } from "vitest";
import { openScriptedServer } from "../support/scripted-server.ts";

const silentMilliseconds = 600;
/** For what is answered at a second request, of which half of the time is left. */
const answeredMilliseconds = 4000;
const unreachable = { name: "StorageError", fault: "unreachable" };

async function open(listener: RequestListener, answerTimeoutMilliseconds = silentMilliseconds) {
	const server = await openScriptedServer(listener);
	const bucket = createBucketOpener({ allow: [], answerTimeoutMilliseconds }).open(server.bucket);
	return {
		...bucket,
		connections: server.connections,
		async close() {
			await bucket.close();
			await server.close();
		},
	};
}

it("rejects whatever somebody waits for, at a server that takes everything and says nothing", async () => {
	const bucket = await open((request) => request.resume());
	const asked = [
		bucket.outputs.head("a"),
		bucket.outputs.get("a"),
		bucket.outputs.get("a", { start: 0, end: 9 }),
		bucket.outputs.delete("a"),
		bucket.outputs.deletePrefix("a/"),
		Array.fromAsync(bucket.outputs.list("a/")),
		bucket.uploads.size("0b8f3a52-6c1d-4e0f-9a7b-3c5d7e9f1a2b"),
		bucket.uploads.discard("0b8f3a52-6c1d-4e0f-9a7b-3c5d7e9f1a2b"),
	];
	for (const outcome of await Promise.allSettled(asked))
		expect(outcome).toMatchObject({ status: "rejected", reason: unreachable });
	await bucket.close();
});

it("asks a second time, on another connection, where the first one is silent", async () => {
	let requests = 0;
	const bucket = await open((_, response) => {
		requests += 1;
		if (requests > 1) response.writeHead(200, { "content-length": "7", etag: '"e"' }).end();
	}, answeredMilliseconds);
	expect(await bucket.outputs.head("a")).toEqual({ key: "a", size: 7 });
	expect([requests, bucket.connections()]).toEqual([2, 2]);
	await bucket.close();
});

it("leaves a put that the server takes long to answer alone", async () => {
	const bucket = await open((request, response) => {
		request
			.resume()
			.once("end", () => setTimeout(() => response.writeHead(200, { etag: '"e"' }).end(), 2 * silentMilliseconds));
	});
	async function* bytes() {
		yield Buffer.from("abc");
	}
	expect(await bucket.outputs.put("a", bytes())).toEqual({ key: "a", size: 3 });
	await bucket.close();
});

const size = 1_000_000;

/** Answers with the object, or its range, up to `pass` bytes for the nth request; then it says nothing more. */
function pausing(pass: (request: number) => number): RequestListener {
	let requests = 0;
	return ({ headers: { range } }, response) => {
		const [, start = "0", end = `${size - 1}`] = /^bytes=(\d+)-(\d+)$/.exec(range ?? "") ?? [];
		const length = Number(end) - Number(start) + 1;
		const headers = {
			etag: '"e"',
			"content-length": length,
			...(range !== undefined && { "content-range": `bytes ${start}-${end}/${size}` }),
		};
		response.writeHead(range === undefined ? 200 : 206, headers);
		response.write(Buffer.alloc(Math.min(length, pass(++requests)), 1));
	};
}

it("goes on from the byte that came where an answer falls silent in the middle", async () => {
	const bucket = await open(
		pausing((request) => (request === 1 ? 300_000 : size)),
		answeredMilliseconds,
	);
	const found = await bucket.outputs.get("a");
	const parts = await Array.fromAsync(found?.bytes ?? []);
	expect(Buffer.concat(parts)).toEqual(Buffer.alloc(size, 1));
	await bucket.close();
});

it("breaks a read that gets nothing more, however often it asks", async () => {
	const bucket = await open(pausing((request) => (request === 1 ? 300_000 : 0)));
	const found = await bucket.outputs.get("a");
	await expect(Array.fromAsync(found?.bytes ?? [])).rejects.toMatchObject(unreachable);
	await bucket.close();
});
