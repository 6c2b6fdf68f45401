import assert from "node:assert/strict";
import { ReadableStream } from "node:stream/web";
import { chunks, collect, random, text } from "../bytes.ts";
import type { Case } from "../case.ts";
import type { ObjectStorageSubject } from "./subject.ts";

const GET = { method: "GET", seconds: 60 } as const;
const put = (size: number) => ({ method: "PUT", seconds: 60, size }) as const;
const needs = "presign";

async function send(
	url: string,
	init?: RequestInit,
): Promise<{ status: number; ok: boolean; headers: Headers; bytes: Buffer }> {
	const headers = { ...(init?.method === "PUT" && { "if-none-match": "*" }), ...init?.headers };
	const response = await fetch(url, { redirect: "manual", ...init, headers });
	return {
		status: response.status,
		ok: response.ok,
		headers: response.headers,
		bytes: Buffer.from(await response.arrayBuffer()),
	};
}

export const presignCases: readonly Case<ObjectStorageSubject>[] = [
	{
		name: "makes presigned URLs just where it says that it can",
		async run({ storage }) {
			await storage.put("a/b", text("abc"));
			if (storage.capabilities.presign) assert.ok(URL.canParse(await storage.presign("a/b", GET)));
			else for (const request of [GET, put(3)]) await assert.rejects(storage.presign("a/b", request), TypeError);
		},
	},
	{
		name: "lets whoever holds a presigned URL get the object, whole and in ranges",
		needs,
		async run({ storage }) {
			const bytes = random(300_000);
			await storage.put("a/b-1.mp4", chunks(bytes));
			const url = await storage.presign("a/b-1.mp4", GET);
			const whole = await send(url);
			assert.equal(whole.status, 200);
			assert.ok(whole.bytes.equals(bytes));
			const part = await send(url, { headers: { range: "bytes=100000-200000" } });
			assert.equal(part.status, 206);
			assert.equal(part.headers.get("content-range"), "bytes 100000-200000/300000");
			assert.ok(part.bytes.equals(bytes.subarray(100_000, 200_001)));
		},
	},
	{
		name: "signs URLs of objects that aren't there: a GET answers 404",
		needs,
		async run({ storage }) {
			assert.equal((await send(await storage.presign("not/there", GET))).status, 404);
		},
	},
	{
		name: "lets whoever holds a presigned URL put an object of just that size, and shows it to every server at once",
		needs,
		async run({ storage, elsewhere }) {
			const headers = { "content-type": "video/mp4", "cache-control": "public, max-age=86400" };
			for (const bytes of [random(70_000), Buffer.alloc(0)]) {
				const key = `a/${bytes.length}`;
				assert.ok(
					(
						await send(await storage.presign(key, put(bytes.length)), {
							method: "PUT",
							headers,
							body: Uint8Array.from(bytes),
						})
					).ok,
				);
				assert.deepEqual(await elsewhere.head(key), { key, size: bytes.length });
				const found = await elsewhere.get(key);
				assert.ok(found);
				assert.ok((await collect(found.bytes)).equals(bytes));
			}
		},
	},
	{
		name: "refuses what is put by a presigned URL where there is an object, with 412, and keeps what was there",
		needs,
		async run({ storage, elsewhere }) {
			const url = await storage.presign("a/b", put(3));
			assert.ok((await send(url, { method: "PUT", body: "old" })).ok);
			for (const again of [url, await elsewhere.presign("a/b", put(3))])
				assert.equal((await send(again, { method: "PUT", body: "new" })).status, 412);
			assert.equal(String(await collect((await storage.get("a/b"))?.bytes ?? text(""))), "old");
		},
	},
	{
		name: "refuses what is put by a presigned URL with another size, or with none, and leaves nothing",
		needs,
		async run({ storage, elsewhere }) {
			const url = await storage.presign("a/b", put(1000));
			const unsized: object = { body: ReadableStream.from(chunks(random(1000))), duplex: "half" };
			const attempts: RequestInit[] = [
				unsized as RequestInit,
				...[0, 999, 1001, 100_000].map((size) => ({ body: Uint8Array.from(random(size)) })),
			];
			for (const attempt of attempts) {
				const answer = await send(url, { method: "PUT", ...attempt });
				assert.ok(answer.status >= 400 && answer.status < 500, `answered ${answer.status}`);
			}
			assert.equal(await elsewhere.head("a/b"), null);
		},
	},
	{
		name: "makes URLs that are good for one method and one object alone",
		needs,
		async run({ storage }) {
			await storage.put("a/b", text("old"));
			await storage.put("a/c", text("other"));
			const [get, putting] = [await storage.presign("a/b", GET), await storage.presign("a/b", put(3))];
			const tries: [string, string][] = [
				[await storage.presign("a/d", GET), "PUT"],
				[get, "DELETE"],
				[putting, "GET"],
				[putting, "DELETE"],
				[get.replace("a/b", "a/c"), "GET"],
				[putting.replace("a/b", "a/e"), "PUT"],
			];
			for (const [url, method] of tries) {
				const answer = await send(url, { method, ...(method === "PUT" && { body: "new" }) });
				assert.ok(answer.status >= 400 && answer.status < 500, `answered ${answer.status} to ${method}`);
			}
			assert.deepEqual([await storage.head("a/d"), await storage.head("a/e")], [null, null]);
			assert.equal(String(await collect((await storage.get("a/b"))?.bytes ?? text(""))), "old");
			assert.equal(String(await collect((await storage.get("a/c"))?.bytes ?? text(""))), "other");
		},
	},
	{
		name: "signs no URL of a key that isn't a path of plain parts",
		async run({ storage }) {
			for (const key of ["", "/a", "a/", "../a", "a/../b", "a b", "a?b"]) {
				await assert.rejects(storage.presign(key, GET), TypeError);
				await assert.rejects(storage.presign(key, put(1)), TypeError);
			}
		},
	},
];
