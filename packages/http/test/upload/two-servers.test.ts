import { createServer, type Server } from "node:http";
import { type Bytes, createEngine, type Engine, systemClock } from "@reelmill/engine";
import { createFakeClock } from "@reelmill/engine/testing";
import { createNodeListener } from "@reelmill/http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { initiate, listen, openService, type Service } from "../support/open-service.ts";
import { answerOf, open } from "../support/send.ts";
import { offsetType, type Tus, tusFor } from "../support/tus.ts";

let service: Service;
const servers: Server[] = [];
beforeAll(async () => {
	service = await openService({}, () => ({ clock: systemClock }));
});
afterAll(async () => {
	for (const server of servers) {
		server.closeAllConnections();
		server.close();
	}
	await service.close();
});

/** Another server over the same database and disk, and a promise of the first chunk that reaches its engine. */
async function anotherServer(clock = systemClock): Promise<{ url: string; engine: Engine; arrived: Promise<void> }> {
	const arrived = Promise.withResolvers<void>();
	const tell = async function* (bytes: Bytes) {
		for await (const chunk of bytes) {
			arrived.resolve();
			yield chunk;
		}
	};
	const engine = createEngine({ ...service.engineOptions, clock });
	const { append } = engine.uploads;
	const watched = {
		...engine,
		uploads: {
			...engine.uploads,
			append: ((p, id, at, bytes, signal) => append(p, id, at, tell(bytes), signal)) as typeof append,
		},
	};
	const server = createServer({ requestTimeout: 0 }, createNodeListener(watched, service.options));
	servers.push(server);
	return { url: await listen(server), engine, arrived: arrived.promise };
}

/** The same upload by way of two servers, the first of which has half of a PATCH. */
async function halfOpen(
	clock = systemClock,
): Promise<{ there: Tus; here: Tus; answer: ReturnType<typeof answerOf>; rest: () => void }> {
	const [first, second] = [await anotherServer(clock), await anotherServer()];
	const created = await initiate(service, (await service.tenant()).auth);
	const [there, here] = [tusFor(first.url, created), tusFor(second.url, created)];
	await here.create();
	const request = open(first.url, {
		method: "PATCH",
		path: there.path,
		headers: { ...there.headers, ...offsetType, "upload-offset": "0", "content-length": "10" },
	});
	const answer = answerOf(request);
	request.write("01234");
	await first.arrived;
	return { there, here, answer, rest: () => request.end("56789") };
}

describe("an upload that hangs half open on another server", () => {
	it("gives way to a HEAD at once, with every byte that came", async () => {
		const { here, answer } = await halfOpen();
		expect(await here.head()).toMatchObject({ status: 200, headers: { "upload-offset": "5" } });
		// The other server let go, or the lease, which it renews, would not have ended.
		expect(await answer).toMatchObject({ status: 204, headers: { "upload-offset": "5" } });
		expect(await here.patch(5, "56789")).toMatchObject({ status: 204, headers: { "upload-offset": "10" } });
	});

	it("lets one of two PATCHes at one offset through, on whichever server", async () => {
		const [first, second] = [await anotherServer(), await anotherServer()];
		const created = await initiate(service, (await service.tenant()).auth);
		const tus = [tusFor(first.url, created), tusFor(second.url, created)];
		await tus[0]?.create();
		const answers = await Promise.all(
			["0123456789", "abcdefghij", "ABCDEFGHIJ"].map((body, index) => tus[index % 2]?.patch(0, body)),
		);
		expect(answers.filter((answer) => answer?.status === 204 && answer.headers["upload-offset"] === "10")).toHaveLength(
			1,
		);
		expect(answers.filter((answer) => answer?.status !== 204 && answer?.status !== 409)).toEqual([]);
	});
});

describe("an upload whose server stands still", () => {
	it("goes on elsewhere once the lease has run out, and is not acknowledged there any more", async () => {
		const { here, answer, rest } = await halfOpen(createFakeClock(Date.now()));
		// A HEAD waits little longer than the lease lasts.
		await expect.poll(async () => (await here.head()).status).toBe(200);
		expect(await here.patch(Number((await here.head()).headers["upload-offset"]), "56789")).toMatchObject({
			status: 204,
		});
		rest();
		expect((await answer).status).not.toBe(204);
	});

	it("leaves nothing behind that a sweep does not remove", async () => {
		await service.database.query({
			text: "insert into reelmill.upload_leases (video_id, lock, server, asked) values (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), true)",
			values: [],
		});
		await service.engine.sweep();
		expect(await service.database.query({ text: "select from reelmill.upload_leases", values: [] })).toEqual([]);
	});
});
