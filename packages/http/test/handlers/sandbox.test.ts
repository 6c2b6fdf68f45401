import type { CreatedVideo } from "@reelmill/contracts";
import { createEngine, type Engine } from "@reelmill/engine";
import { createHandler } from "@reelmill/http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { expectListed, served } from "../support/contract.ts";
import { sandboxAuth, unlimited } from "../support/credentials.ts";
import { minimalRequest } from "../support/minimal.ts";
import { initiate, openService, type Service } from "../support/open-service.ts";
import { bearer } from "../support/send.ts";
import { tusFor } from "../support/tus.ts";

let service: Service;
const open = async (sandbox: boolean, adapters = {}) => {
	service = await openService({}, () => ({ sandbox, ...adapters }));
	await service.engine.start();
	await service.engine.stop();
};
afterEach(() => service.close());

const mint = () => service.send({ method: "POST", path: "/v1/sandbox/session" });

describe("between sandbox sessions", () => {
	beforeEach(() => open(true, { rateLimiter: unlimited }));

	it("no answer tells of another's video, whatever a session asks and however alike what it uploads is", async () => {
		const [one, two] = [await sandboxAuth(service), await sandboxAuth(service)];
		const marks = { uploader_ref: "uploader-of-one", external_ref: "reference-of-one" };
		const { video } = await initiate(service, one, marks);
		const create = (headers: Record<string, string>) =>
			service.send({
				method: "POST",
				path: "/v1/videos",
				headers,
				json: { content_type: "video/mp4", file_size: 10, uploader_ref: marks.uploader_ref },
			});
		const mine = await create(two);
		expect(mine.status).toBe(201);
		expect((await create(two)).json).toMatchObject({
			error: "concurrent_upload_exists",
			existing_video_id: (mine.json as CreatedVideo).video.id,
		});
		const told: string[] = [];
		for (const operation of served.filter(({ auth }) => auth === "tenant")) {
			const sent = minimalRequest(operation, video.id);
			const { text, headers } = await service.send({ ...sent, headers: { ...sent.headers, ...two } });
			for (const mark of [video.id, marks.external_ref])
				if (`${text}${JSON.stringify(headers)}`.includes(mark)) told.push(operation.name);
		}
		// The key that a session mints for a video names what it was asked for, and opens nothing of another's.
		expect(told.filter((name) => name !== "createPlaybackKey")).toEqual([]);
		const { upload } = mine.json as CreatedVideo;
		const foreign = await tusFor(service.url, { video, upload } as CreatedVideo).create();
		expect([foreign.status, foreign.text.includes(video.id)]).toEqual([401, false]);
	});

	it("a refusal that no later moment helps has neither retryAfter nor Retry-After", async () => {
		const auth = await sandboxAuth(service);
		for (let index = 0; index < 5; index++) await initiate(service, auth);
		const create = served.find(({ name }) => name === "createVideo");
		const answer = await service.send({
			method: "POST",
			path: "/v1/videos",
			headers: auth,
			json: { content_type: "video/mp4", file_size: 10 },
		});
		expectListed(answer, create, { method: "POST" });
		expect([answer.status, answer.json, answer.headers["retry-after"]]).toEqual([
			429,
			{ error: "upload_quota_exceeded", message: "This sandbox session can't start this upload any more." },
			undefined,
		]);
		const { domain, api_key } = await service.engine.domains.create({
			slug: "small",
			limits: { daily_upload_bytes: 20 },
		});
		const upload = (file_size: number) =>
			service.send({
				method: "POST",
				path: "/v1/videos",
				headers: bearer(api_key),
				json: { content_type: "video/mp4", file_size },
			});
		const whole = await upload(21);
		await initiate(service, bearer(api_key));
		const over = await upload(20);
		expect(domain.limits.daily_upload_bytes).toBe(20);
		for (const one of [whole, over]) expectListed(one, create, { method: "POST" });
		expect([whole.json, whole.headers["retry-after"]]).toEqual([
			{ error: "upload_quota_exceeded", message: "file_size is over the whole daily upload quota." },
			undefined,
		]);
		expect([over.json, over.headers["retry-after"]]).toEqual([
			{
				error: "upload_quota_exceeded",
				message: "The daily upload quota is used up.",
				retryAfter: "2026-02-01T00:00:00.000Z",
			},
			String(12 * 3600),
		]);
	});
});

describe("without a sandbox", () => {
	beforeEach(() => open(false));

	it("minting a session is not_found, as any route that there isn't, however often it is asked", async () => {
		for (let index = 0; index < 6; index++)
			expect(await mint()).toMatchObject({ status: 404, json: { error: "not_found" } });
	});

	it("the key of an earlier session is unauthorized", async () => {
		const earlier = createEngine({ ...service.engineOptions, sandbox: true });
		await earlier.start();
		const { api_key } = await earlier.sandbox.createSession();
		await earlier.stop();
		const ask = (engine: Engine) =>
			createHandler(
				engine,
				service.options,
			)(new Request("https://video.example/v1/limits", { headers: { authorization: `Bearer ${api_key}` } }));
		expect((await ask(earlier)).status).toBe(200);
		const refused = await ask(service.engine);
		expect([refused.status, await refused.json()]).toMatchObject([401, { error: "unauthorized" }]);
	});
});
