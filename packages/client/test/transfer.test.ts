import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { type TransferOptions, terminateTransfer, transfer } from "../src/transfer.ts";
import { type Intercept, refuse, tusServer } from "./support/tus-server.ts";

const id = "0c7c6f0e-0b68-4b43-8a43-6b5b8f1b1a11";
const bytes = randomBytes(300_000);
const source = new Blob([bytes]);
const chunkSize = 100_000;
const quick = { source, size: bytes.length, chunkSize, backoffSeconds: 0.01 };
const outcome = (options: TransferOptions) =>
	transfer(options).then(
		() => "done",
		(error: unknown) => error,
	);

describe("a transfer", () => {
	it("creates the upload and sends it in chunks, telling what was acknowledged", async () => {
		await using server = await tusServer();
		const told: unknown[] = [];
		await transfer({
			...quick,
			ticket: server.ticket(id),
			onCreated: (url) => told.push(url),
			onAcknowledged: (offset) => told.push(offset),
		});
		expect((await server.bytes(id)).equals(bytes)).toBe(true);
		expect(server.requests).toEqual([
			"POST /uploads",
			`PATCH /uploads/${id} @0`,
			`PATCH /uploads/${id} @100000`,
			`PATCH /uploads/${id} @200000`,
		]);
		expect(told).toEqual([`${server.endpoint}/${id}`, 100_000, 200_000, 300_000]);
	});

	it("takes a file's stream and any other readable", async () => {
		await using server = await tusServer();
		const directory = await mkdtemp(join(tmpdir(), "reelmill-source-"));
		await writeFile(join(directory, "clip"), bytes);
		await transfer({ ...quick, source: createReadStream(join(directory, "clip")), ticket: server.ticket("from-file") });
		await transfer({
			...quick,
			source: Readable.from([bytes.subarray(0, 7), bytes.subarray(7)], { objectMode: false }),
			ticket: server.ticket("from-stream"),
		});
		await rm(directory, { recursive: true });
		expect((await server.bytes("from-file")).equals(bytes)).toBe(true);
		expect((await server.bytes("from-stream")).equals(bytes)).toBe(true);
	});

	it("stops when aborted, and a later one goes on at the offset reached", async () => {
		await using server = await tusServer();
		const controller = new AbortController();
		const urls: string[] = [];
		const options = { ...quick, ticket: server.ticket(id), onCreated: (url: string) => void urls.push(url) };
		const stopped = outcome({
			...options,
			signal: controller.signal,
			onAcknowledged: (offset) => offset === 200_000 && controller.abort("paused"),
		});
		expect(await stopped).toBe("paused");
		await transfer({ ...options, uploadUrl: urls[0] });
		expect((await server.bytes(id)).equals(bytes)).toBe(true);
		expect(server.requests.slice(-2)).toEqual([`HEAD /uploads/${id}`, `PATCH /uploads/${id} @200000`]);
	});

	/** Gives its bytes in pieces, as a slow disk does, also to a request that is over. */
	class Pieces extends Blob {
		override stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
			let left = 50;
			return new ReadableStream({
				async pull(controller) {
					await new Promise(setImmediate);
					left--;
					if (left < 0) controller.close();
					else controller.enqueue(new Uint8Array(20_000));
				},
			});
		}
		override slice(): Blob {
			return this;
		}
	}

	it.each(["aborted", "refused"])("tells nothing more once it was %s", async (how) => {
		await using server = await tusServer({
			intercept(request, response) {
				if (how !== "refused" || request.method !== "PATCH") return false;
				refuse(request, response, 409, "upload_not_pending", { "upload-complete": "?0" });
				return true;
			},
		});
		const controller = new AbortController();
		let told = 0;
		const size = 1_000_000;
		await outcome({
			source: new Pieces([new Uint8Array(size)]),
			size,
			ticket: server.ticket(id),
			signal: controller.signal,
			onProgress(sent) {
				told++;
				if (how === "aborted" && sent > 0) controller.abort("stopped");
			},
		});
		const before = told;
		await new Promise((resolve) => setTimeout(resolve, 100));
		expect({ before: before > 0, after: told - before }).toEqual({ before: true, after: 0 });
	});

	it("sends nothing when it was aborted before", async () => {
		await using server = await tusServer();
		expect(await outcome({ ...quick, ticket: server.ticket(id), signal: AbortSignal.abort("early") })).toBe("early");
		expect(server.requests).toEqual([]);
	});

	it("sends nothing when it is aborted before its first request", async () => {
		await using server = await tusServer();
		const controller = new AbortController();
		const stopped = outcome({ ...quick, ticket: server.ticket(id), signal: controller.signal });
		controller.abort("at once");
		expect(await stopped).toBe("at once");
		await transfer({ ...quick, ticket: server.ticket("another") });
		expect(server.requests.filter((request) => request.startsWith("POST"))).toHaveLength(1);
	});

	it("passes over what the service holds of a stream", async () => {
		await using server = await tusServer();
		const controller = new AbortController();
		const options = { ...quick, ticket: server.ticket(id) };
		await outcome({ ...options, signal: controller.signal, onAcknowledged: () => controller.abort() });
		const pieces = Array.from({ length: 4 }, (_, index) => bytes.subarray(index * 75_000, (index + 1) * 75_000));
		const again = Readable.from(pieces, { objectMode: false });
		await transfer({ ...options, source: again, uploadUrl: `${server.endpoint}/${id}` });
		expect((await server.bytes(id)).equals(bytes)).toBe(true);
	});

	it("can be ended for good", async () => {
		await using server = await tusServer();
		const controller = new AbortController();
		await outcome({
			...quick,
			ticket: server.ticket(id),
			signal: controller.signal,
			onAcknowledged: () => controller.abort(),
		});
		await terminateTransfer(`${server.endpoint}/${id}`, "upload-token");
		await expect(server.bytes(id)).rejects.toMatchObject({ code: "ENOENT" });
	});
});

describe("a transfer that fails on its way", () => {
	/** Breaks the n-th request of a method. */
	const breaking = (method: string, nth: number, how: Intercept) => {
		let count = 0;
		return tusServer({
			intercept: (request, response) =>
				request.method === method && ++count === nth ? how(request, response) : undefined,
		});
	};

	it("asks for the offset after a broken connection and loses nothing", async () => {
		await using server = await breaking("PATCH", 2, (request) => {
			request.socket.destroy();
			return true;
		});
		await transfer({ ...quick, ticket: server.ticket(id) });
		expect((await server.bytes(id)).equals(bytes)).toBe(true);
		expect(server.requests.filter((request) => request.startsWith("HEAD"))).toHaveLength(1);
	});

	it("never starts from byte 0 again because a HEAD failed", async () => {
		let broken = 0;
		await using server = await tusServer({
			intercept(request, response) {
				if (request.method === "PATCH" && broken === 0) broken = Number(request.headers["upload-offset"]) > 0 ? 1 : 0;
				if (broken !== 1 && broken !== 2) return false;
				broken++;
				refuse(request, response, 500, "internal_error");
				return true;
			},
		});
		await transfer({ ...quick, ticket: server.ticket(id) });
		expect(server.requests.filter((request) => request.startsWith("POST"))).toHaveLength(1);
		expect(server.requests.filter((request) => request.endsWith("@0"))).toHaveLength(1);
		expect((await server.bytes(id)).equals(bytes)).toBe(true);
	});

	it.each([
		["without every byte", 409, "upload_not_pending", { "upload-complete": "?0", "upload-end": "cancelled" }],
		["with a wrong token", 401, "unauthorized", {}],
	] as const)(
		"neither asks again nor begins anew where the service says that it is over %s",
		async (_, status, code, headers) => {
			await using server = await tusServer({
				intercept(request, response) {
					refuse(request, response, status, code, headers);
					return true;
				},
			});
			const error = await outcome({ ...quick, ticket: server.ticket(id), uploadUrl: `${server.endpoint}/${id}` });
			expect(error).toMatchObject({ code });
			expect(server.requests).toEqual([`HEAD /uploads/${id}`]);
		},
	);

	it("creates again when the answer to the creation was lost", async () => {
		await using server = await breaking("POST", 1, (request) => {
			request.socket.destroy();
			return true;
		});
		await transfer({ ...quick, ticket: server.ticket(id) });
		expect((await server.bytes(id)).equals(bytes)).toBe(true);
	});

	it("waits as long as a 429 asks", async () => {
		await using server = await breaking("PATCH", 1, (request, response) => {
			refuse(request, response, 429, "rate_limited", { "retry-after": "1" });
			return true;
		});
		const retries: { error: Error; seconds: number }[] = [];
		await transfer({ ...quick, ticket: server.ticket(id), onRetry: (retry) => retries.push(retry) });
		expect(retries).toMatchObject([{ error: { code: "rate_limited" }, seconds: 1 }]);
	});

	it("corrects its offset when the server holds more than it knew", async () => {
		await using server = await breaking("PATCH", 2, (request, response) => {
			refuse(request, response, 409, "bad_request");
			return true;
		});
		await transfer({ ...quick, ticket: server.ticket(id) });
		expect((await server.bytes(id)).equals(bytes)).toBe(true);
	});

	it("counts as done when only the final answer was lost", async () => {
		await using server = await tusServer({ finishing: (request) => void request.socket.destroy() });
		await transfer({ ...quick, ticket: server.ticket(id) });
		expect(server.finished.has(id)).toBe(true);
		expect(server.requests.at(-1)).toBe(`HEAD /uploads/${id}`);
	});

	it("counts as done when the server says that every byte of an earlier run arrived", async () => {
		await using server = await tusServer();
		await transfer({ ...quick, ticket: server.ticket(id) });
		expect(await outcome({ ...quick, ticket: server.ticket(id), uploadUrl: `${server.endpoint}/${id}` })).toBe("done");
	});

	it("fails at once on a wrong token", async () => {
		await using server = await tusServer();
		expect(await outcome({ ...quick, ticket: { ...server.ticket(id), token: "other" } })).toMatchObject({
			code: "unauthorized",
		});
		expect(server.requests).toHaveLength(1);
	});

	it("gives up after so many failures without a byte more", async () => {
		await using server = await tusServer({
			intercept(request) {
				request.socket.destroy();
				return true;
			},
		});
		expect(await outcome({ ...quick, ticket: server.ticket(id), retries: 2 })).toMatchObject({
			name: "ConnectionError",
			reason: "unreachable",
		});
		expect(server.requests).toHaveLength(3);
	});

	it("tries again when a request does not move", async () => {
		await using server = await breaking("PATCH", 1, () => true);
		await transfer({ ...quick, ticket: server.ticket(id), stallSeconds: 1 });
		expect((await server.bytes(id)).equals(bytes)).toBe(true);
	});

	it("stops while it waits for a retry", async () => {
		await using server = await tusServer({
			intercept(request, response) {
				refuse(request, response, 503, "storage_unavailable", { "retry-after": "30" });
				return true;
			},
		});
		const controller = new AbortController();
		expect(
			await outcome({
				...quick,
				ticket: server.ticket(id),
				signal: controller.signal,
				onRetry: () => queueMicrotask(() => controller.abort("enough")),
			}),
		).toBe("enough");
	});

	it("fails at once when the source is shorter than declared", async () => {
		await using server = await tusServer();
		expect(await outcome({ ...quick, size: 300_001, ticket: server.ticket(id) })).toMatchObject({
			message: expect.stringContaining("300001"),
		});
	});
});
