import { randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { Bytes, Engine } from "@reelmill/engine";
import { createNodeListener } from "@reelmill/http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { initiate, listen, openService, type Service } from "../support/open-service.ts";
import { answerOf, open } from "../support/send.ts";
import { offsetType, tusFor } from "../support/tus.ts";

let service: Service;
const servers: Server[] = [];
let url: string;
/** Called with each chunk that reaches the engine. */
let onChunk = (_: Uint8Array) => {};
beforeAll(async () => {
	service = await openService();
	url = await serve(60);
});
afterAll(async () => {
	for (const server of servers) {
		server.closeAllConnections();
		server.close();
	}
	await service.close();
});

/** A server that ends transfers of which so long nothing comes. */
async function serve(idleTimeoutSeconds: number): Promise<string> {
	const options = { ...service.options, idleTimeoutSeconds };
	const server = createServer({ requestTimeout: 0 }, createNodeListener(watched(service.engine), options));
	servers.push(server);
	return listen(server);
}

function watched(engine: Engine): Engine {
	const tell = async function* (bytes: Bytes) {
		for await (const chunk of bytes) {
			onChunk(chunk);
			yield chunk;
		}
	};
	return {
		...engine,
		uploads: {
			...engine.uploads,
			append: (principal, id, offset, bytes, signal) =>
				engine.uploads.append(principal, id, offset, tell(bytes), signal),
		},
	};
}

/** A PATCH of which five bytes have reached the engine and the rest has not been sent. */
async function halfOpen(to = url) {
	const tus = tusFor(to, await initiate(service, (await service.tenant()).auth));
	await tus.create();
	const request = open(to, {
		method: "PATCH",
		path: tus.path,
		headers: { ...tus.headers, ...offsetType, "upload-offset": "0", "content-length": "10", connection: "keep-alive" },
	});
	const answer = answerOf(request);
	const arrived = new Promise<void>((resolve) => {
		onChunk = () => resolve();
	});
	request.write("01234");
	await arrived;
	return { tus, request, answer };
}

describe("an upload that hangs half open", () => {
	it("gives way to a HEAD at once, with every byte that came", async () => {
		const { tus, answer } = await halfOpen();
		expect(await tus.head()).toMatchObject({ status: 200, headers: { "upload-offset": "5" } });
		expect(await answer).toMatchObject({ status: 204, headers: { "upload-offset": "5", connection: "close" } });
		expect(await tus.patch(5, "56789")).toMatchObject({ status: 204, headers: { "upload-offset": "10" } });
	});

	it("gives way to the PATCH that goes on from where it stands", async () => {
		const { tus, answer } = await halfOpen();
		expect(await tus.patch(5, "56789")).toMatchObject({ status: 204, headers: { "upload-offset": "10" } });
		expect((await answer).headers["upload-offset"]).toBe("5");
	});

	it("is ended after the idle time with what came, and only then", async () => {
		const { tus, answer } = await halfOpen(await serve(2));
		expect(await answer).toMatchObject({ status: 204, headers: { "upload-offset": "5", connection: "close" } });
		expect((await tus.head()).headers["upload-offset"]).toBe("5");
	});

	it("keeps what came when its client vanishes", async () => {
		const { tus, request, answer } = await halfOpen();
		const gone = expect(answer).rejects.toThrow();
		request.destroy();
		await gone;
		expect((await tus.head()).headers["upload-offset"]).toBe("5");
		expect(service.logger.entries.filter(({ level }) => level === "error")).toEqual([]);
	});

	it("ends up with the very bytes that were sent, however often the connection is lost", async () => {
		const size = 6_000_000;
		const bytes = randomBytes(size);
		const tus = tusFor(url, await initiate(service, (await service.tenant()).auth, { file_size: size }));
		await tus.create({ headers: { "upload-length": String(size) } });
		const offset = async () => Number((await tus.head()).headers["upload-offset"]);
		for (const cut of [1_000_000, 2_500_000, 4_000_001]) {
			const from = await offset();
			const request = open(url, {
				method: "PATCH",
				path: tus.path,
				headers: {
					...tus.headers,
					...offsetType,
					"upload-offset": String(from),
					"content-length": String(size - from),
				},
			});
			const gone = new Promise((resolve) => request.on("error", resolve));
			request.write(bytes.subarray(from, cut), () => request.destroy(new Error("lost")));
			await gone;
		}
		const from = await offset();
		expect(from).toBeGreaterThan(0);
		const last = await tus.send({
			method: "PATCH",
			headers: { ...offsetType, "upload-offset": String(from) },
			body: bytes.subarray(from),
		});
		expect(last).toMatchObject({ status: 204, headers: { "upload-offset": String(size) } });
		const source = await service.send({
			path: `/internal/v1/jobs/${tus.id}/source`,
			headers: await service.serviceAuth(),
		});
		expect(source.bytes.equals(bytes)).toBe(true);
	});

	it("lets exactly one of several PATCHes at one offset through", async () => {
		const tus = tusFor(url, await initiate(service, (await service.tenant()).auth));
		await tus.create();
		const answers = await Promise.all(["0123456789", "abcdefghij", "ABCDEFGHIJ"].map((body) => tus.patch(0, body)));
		expect(answers.filter(({ status, headers }) => status === 204 && headers["upload-offset"] === "10")).toHaveLength(
			1,
		);
		expect(answers.filter(({ status }) => status !== 204 && status !== 409)).toEqual([]);
	});
});
