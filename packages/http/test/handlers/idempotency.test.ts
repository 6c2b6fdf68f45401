import type { CreatedVideo } from "@reelmill/contracts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sandboxAuth, unlimited } from "../support/credentials.ts";
import { openService, type Service } from "../support/open-service.ts";
import type { Answer } from "../support/send.ts";
import { consoleOptions, signIn } from "../support/sessions.ts";

let service: Service;
beforeAll(async () => {
	service = await openService({}, () => ({ ...consoleOptions, rateLimiter: unlimited }));
	await service.engine.start();
});
afterAll(() => service.close());

type Headers = Record<string, string>;
const clip = { content_type: "video/mp4", file_size: 10 };
const post = (path: string, headers: Headers, key: string | undefined, json: object): Promise<Answer> =>
	service.send({
		method: "POST",
		path,
		headers: { ...headers, ...(key !== undefined && { "idempotency-key": key }) },
		json,
	});
const idOf = (answer: Answer) => (answer.json as CreatedVideo).video.id;
const videosOf = async (headers: Headers) =>
	((await service.send({ path: "/v1/videos", headers })).json as { data: { id: string }[] }).data.map(({ id }) => id);

describe("Idempotency-Key", () => {
	it("gets the very bytes of the first answer, for videos and outros", async () => {
		const { auth } = await service.tenant();
		for (const [path, json] of [
			["/v1/videos", { ...clip, external_ref: "Grüße 🎬" }],
			["/v1/outros", { ...clip, slug: "tail", label: "Spring" }],
		] as const) {
			const first = await post(path, auth, `${path} 1`.replace(" ", "#"), json);
			expect(first.status).toBe(201);
			await service.clock.advance(60_000);
			const again = await post(path, auth, `${path} 1`.replace(" ", "#"), json);
			expect([again.status, again.text]).toEqual([201, first.text]);
			expect(await post(path, auth, `${path} 1`.replace(" ", "#"), { ...json, file_size: 11 })).toMatchObject({
				status: 400,
				json: { error: "validation_error", message: expect.stringContaining("Idempotency-Key") },
			});
		}
		expect(await videosOf(auth)).toHaveLength(1);
	});

	it("may have 255 visible characters of ASCII, and is refused otherwise before anything is created", async () => {
		const { auth } = await service.tenant();
		for (const key of ["a", "!~", `"8e03978e-40d5-43e8-bc93-6894a57f9324"`, "x".repeat(255)])
			expect((await post("/v1/videos", auth, key, clip)).status).toBe(201);
		for (const key of ["", "a b", "x".repeat(256), "caf\u00e9", "a\tb", "a,b c"])
			expect(await post("/v1/videos", auth, key, clip)).toMatchObject({
				status: 400,
				json: { error: "validation_error", message: expect.stringContaining("Idempotency-Key") },
			});
		expect(await videosOf(auth)).toHaveLength(4);
	});

	it("creates anew for each request without it", async () => {
		const { auth } = await service.tenant();
		for (let time = 0; time < 2; time++) expect((await post("/v1/videos", auth, undefined, clip)).status).toBe(201);
		expect(await videosOf(auth)).toHaveLength(2);
	});

	it("answers all of several that come at once alike", async () => {
		const { auth } = await service.tenant();
		const answers = await Promise.all(Array.from({ length: 8 }, () => post("/v1/videos", auth, "at-once", clip)));
		expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
		expect(await videosOf(auth)).toEqual([idOf(answers[0] as Answer)]);
	});

	it("belongs to the domain that a console session has selected, where its key has it too", async () => {
		const [one, other] = [await service.tenant(), await service.tenant()];
		const { headers } = await signIn(service, { role: "member", domainIds: [one.domain.id, other.domain.id] });
		const within = (id: string): Headers => ({ ...headers, "x-service-domain": id });
		const [first, second] = [
			await post("/v1/videos", within(one.domain.id), "same", clip),
			await post("/v1/videos", within(other.domain.id), "same", clip),
		];
		expect(idOf(first)).not.toBe(idOf(second));
		expect((await post("/v1/videos", one.auth, "same", clip)).text).toBe(first.text);
		expect((await post("/v1/videos", other.auth, "same", clip)).text).toBe(second.text);
	});

	it("belongs to its session in the sandbox", async () => {
		const [one, other] = [await sandboxAuth(service), await sandboxAuth(service)];
		const first = await post("/v1/videos", one, "same", clip);
		expect((await post("/v1/videos", one, "same", clip)).text).toBe(first.text);
		const second = await post("/v1/videos", other, "same", { ...clip, file_size: 11 });
		expect(second.status).toBe(201);
		expect(await videosOf(one)).toEqual([idOf(first)]);
	});
});
