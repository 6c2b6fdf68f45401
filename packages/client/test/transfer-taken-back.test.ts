import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { type TransferOptions, transfer } from "../src/transfer.ts";
import { type Intercept, refuse, tusServer } from "./support/tus-server.ts";

const id = "0c7c6f0e-0b68-4b43-8a43-6b5b8f1b1a11";
const bytes = randomBytes(300_000);
const quick = { source: new Blob([bytes]), size: bytes.length, chunkSize: 100_000, backoffSeconds: 0.01 };
const outcome = (options: TransferOptions) =>
	transfer(options).then(
		() => "done",
		(error: unknown) => error,
	);

describe("a transfer fails if its final answer was lost and a failover then took the record back", () => {
	/** Sends the last byte and loses its answer. From then on the service answers so. */
	const afterLastByte = async (answer: (...[request, response]: Parameters<Intercept>) => void): Promise<unknown> => {
		let isOver = false;
		await using server = await tusServer({
			finishing(request) {
				isOver = true;
				request.socket.destroy();
				return true;
			},
			intercept(request, response) {
				if (!isOver) return false;
				answer(request, response);
				return true;
			},
		});
		return await outcome({ ...quick, retries: 3, ticket: server.ticket(id) });
	};

	it.each([
		["404, for its row is gone", 404, "video_not_found", {}],
		["409 without a word of the bytes", 409, "upload_not_pending", {}],
		["409, and that not every byte arrived", 409, "upload_not_pending", { "upload-complete": "?0" }],
		["410 of a proxy", 410, "none", {}],
		["401", 401, "unauthorized", {}],
	] as const)("where the service answers %s", async (_, status, code, headers) => {
		const ended = await afterLastByte((request, response) => refuse(request, response, status, code, headers));
		expect(ended).toBeInstanceOf(Error);
		expect(ended).toMatchObject({ name: "ReelmillError", status });
	});

	it("where an answer to PATCH says so, too", async () => {
		await using server = await tusServer({
			intercept(request, response) {
				const isLast = request.method === "PATCH" && request.headers["upload-offset"] === "200000";
				if (isLast) refuse(request, response, 409, "upload_not_pending");
				return isLast;
			},
		});
		expect(await outcome({ ...quick, ticket: server.ticket(id) })).toMatchObject({ code: "upload_not_pending" });
	});
});

describe("a transfer whose acknowledged bytes were taken back", () => {
	/** Takes bytes back before the request for those at 200,000, once or each time. */
	const losing = (length: number | null, times = 1) => {
		let left = times;
		const opened = tusServer({
			async intercept(request, response) {
				if (request.method !== "PATCH" || request.headers["upload-offset"] !== "200000" || left-- <= 0) return false;
				await (await opened).restore(id, length);
				if (length === null) refuse(request, response, 404, "not_found");
				else refuse(request, response, 409, "bad_request");
				return true;
			},
		});
		return opened;
	};

	it("goes on at the offset that the server has now", async () => {
		await using server = await losing(40_000);
		const acknowledged: number[] = [];
		await transfer({ ...quick, ticket: server.ticket(id), onAcknowledged: (offset) => acknowledged.push(offset) });
		expect((await server.bytes(id)).equals(bytes)).toBe(true);
		expect(acknowledged).toEqual([100_000, 200_000, 40_000, 140_000, 240_000, 300_000]);
	});

	it("is created once more where the server has nothing of it", async () => {
		await using server = await losing(null);
		await transfer({ ...quick, ticket: server.ticket(id) });
		expect((await server.bytes(id)).equals(bytes)).toBe(true);
		expect(server.requests.filter((request) => request.startsWith("POST"))).toHaveLength(2);
	});

	it("gives up where the server loses them each time", async () => {
		await using server = await losing(100_000, Number.POSITIVE_INFINITY);
		expect(await outcome({ ...quick, retries: 3, ticket: server.ticket(id) })).toMatchObject({ status: 409 });
		await using forgetful = await losing(null, Number.POSITIVE_INFINITY);
		expect(await outcome({ ...quick, retries: 3, ticket: forgetful.ticket(id) })).toMatchObject({ status: 404 });
	});

	it("fails with the two figures where its source is a stream, which can't go back", async () => {
		await using server = await losing(40_000);
		const source = Readable.from([bytes.subarray(0, 7), bytes.subarray(7)], { objectMode: false });
		expect(await outcome({ ...quick, source, ticket: server.ticket(id) })).toMatchObject({
			message:
				"The service holds 40000 of the 200000 bytes that it had acknowledged, and a stream can't go back: send the file again.",
		});
	});
});
