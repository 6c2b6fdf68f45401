import type { RequestListener } from "node:http";
import { createBucketOpener } from "@reelmill/storage-s3";
import { expect, it } from "vitest";
import { patience } from "../support/patience.ts";
import { openScriptedServer } from "../support/scripted-server.ts";

async function headsAgainst(failures: number, fail: RequestListener, attempts?: number) {
	const times: number[] = [];
	const server = await openScriptedServer((request, response) => {
		times.push(performance.now());
		if (times.length <= failures) fail(request, response);
		else response.writeHead(200, { "content-length": "7", etag: '"e"' }).end();
	});
	const opener = createBucketOpener({
		allow: [],
		...patience,
		...(attempts ? { attempts } : {}),
	});
	const bucket = opener.open(server.bucket);
	const outcome = await bucket.outputs.head("a").catch((error: unknown) => error);
	await bucket.close();
	await server.close();
	return { outcome, times };
}

const answering =
	(status: number): RequestListener =>
	(_, response) =>
		response.writeHead(status).end();
const cutting: RequestListener = (request) => request.socket.destroy();

it.each([
	["500", answering(500)],
	["503", answering(503)],
	["429", answering(429)],
	["a broken connection", cutting],
])("tries again after %s, until it goes through", async (_, fail) => {
	const { outcome, times } = await headsAgainst(3, fail);
	expect(outcome).toEqual({ key: "a", size: 7 });
	expect(times).toHaveLength(4);
});

it("gives up after as many attempts as it may", async () => {
	const { outcome, times } = await headsAgainst(100, answering(503), 3);
	expect(outcome).toMatchObject({ name: "StorageError", fault: "failed" });
	expect(times).toHaveLength(3);
});

it.each([400, 403])("doesn't try again what was refused by %i", async (status) => {
	const { outcome, times } = await headsAgainst(100, answering(status));
	expect(outcome).toMatchObject({ name: "StorageError" });
	expect(times).toHaveLength(1);
});

it("lets clients that failed together come again apart", async () => {
	const pauses = await Promise.all(
		Array.from({ length: 8 }, async () => {
			const { times } = await headsAgainst(1, answering(503));
			return Math.round((times[1] ?? 0) - (times[0] ?? 0));
		}),
	);
	expect(new Set(pauses).size).toBeGreaterThan(1);
});
