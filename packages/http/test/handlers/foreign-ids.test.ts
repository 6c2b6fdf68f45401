import type { HeardEvents, WebhookDelivery } from "@reelmill/contracts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Contents, createContents } from "../support/contents.ts";
import { type Named, nameOf, served } from "../support/contract.ts";
import { playbackAuth, sandboxAuth, unlimited } from "../support/credentials.ts";
import { finished } from "../support/finished.ts";
import { minimalRequest } from "../support/minimal.ts";
import { initiate, openService, type Service } from "../support/open-service.ts";
import { type Answer, bearer } from "../support/send.ts";

type Headers = Record<string, string>;
let service: Service;
let contents: () => Promise<Contents>;
let owner: Headers;
let asking: Headers;
beforeAll(async () => {
	service = await openService({}, () => ({ rateLimiter: unlimited }));
	await service.engine.start();
	await service.engine.stop();
	contents = await createContents(service.database);
	owner = (await service.tenant({ webhook_url: "https://hooks.example/", webhook_secret: "whsec_x" })).auth;
	asking = (await service.tenant()).auth;
});
afterAll(() => service.close());

const unknown = "00000000-0000-4000-8000-000000000000";
const ofVideos = served.filter(({ plane, path }) => plane === "tenant" && path.startsWith("/v1/videos/{id}"));
const ofDelivery = served.filter(({ plane }) => plane === "delivery");
const ofUploads = served.filter(({ plane }) => plane === "upload");
/** A listener's id is made by who listens: whatever another tenant's listeners are called is as good as any. */
const ofListeners = served.filter(({ path }) => path.startsWith("/v1/webhook-listeners/{id}"));
const others = served.filter(
	(operation) =>
		operation.plane === "tenant" &&
		operation.path.includes("{") &&
		!operation.path.startsWith("/v1/videos/{id}") &&
		!ofListeners.includes(operation),
);
/** How to come by something of the owner's that the operations under this path would find. */
const finders: Readonly<Record<string, () => Promise<string>>> = {
	"/v1/webhook-deliveries/{id}": async () => {
		const { video } = await initiate(service, owner);
		await service.send({ method: "POST", path: `/v1/videos/${video.id}/cancel`, headers: owner });
		const { json } = await service.send({ path: "/v1/webhook-deliveries", headers: owner });
		return (json as { data: [WebhookDelivery] }).data[0].id;
	},
	"/v1/domain/keys/{id}": async () => {
		const { json } = await service.send({ path: "/v1/domain/keys", headers: owner });
		return (json as { data: [{ id: string }] }).data[0].id;
	},
	"/v1/imports/{id}": async () => {
		const json = { url: "https://files.example/clip.mp4" };
		const created = await service.send({ method: "POST", path: "/v1/imports", headers: owner, json });
		return (created.json as { id: string }).id;
	},
	"/v1/outros/{slug}": async () => {
		await service.send({
			method: "POST",
			path: "/v1/outros",
			headers: owner,
			json: { slug: "tail", content_type: "video/mp4", file_size: 10 },
		});
		return "tail";
	},
};

/** All of an answer that a client could tell it from another by. */
const visible = ({ status, headers: { date: _, ...headers }, bytes }: Answer) => ({
	status,
	headers,
	body: bytes.toString("latin1"),
});

/**
 * Asks the operation for `id` and for an id that nobody has, and fails if anything in the answers differs or anything
 * was changed. Answers what it was.
 */
async function expectAlike(operation: Named, id: string, headers: Headers): Promise<string> {
	const ask = (one: string) => {
		const sent = minimalRequest(operation, one);
		return service.send({ ...sent, headers: { ...sent.headers, ...headers, "x-request-id": "same" } });
	};
	const before = await contents();
	const [foreign, missing] = [await ask(id), await ask(unknown)];
	expect(visible(foreign)).toEqual(visible(missing));
	expect(await contents()).toEqual(before);
	return nameOf(foreign);
}

describe("what belongs to another tenant", () => {
	it("is asked for through every operation that has a parameter in its path", () => {
		const ofNoTenant = new Set(["admin", "internal", "operations"]);
		const withParameter = served.filter(({ path, plane }) => path.includes("{") && !ofNoTenant.has(plane));
		expect([...ofVideos, ...ofDelivery, ...ofUploads, ...ofListeners, ...others]).toEqual(
			expect.arrayContaining(withParameter),
		);
	});

	it.each(ofVideos)("answers $name as an unknown video does, whatever state it is in", async (operation) => {
		const [pending, cancelled] = [(await initiate(service, owner)).video.id, (await initiate(service, owner)).video.id];
		await service.send({ method: "POST", path: `/v1/videos/${cancelled}/cancel`, headers: owner });
		const [hidden, shown] = [await finished(service, owner), await finished(service, owner, "public")];
		for (const id of [pending, cancelled, hidden, shown])
			expect(await expectAlike(operation, id, asking)).toBe("404 video_not_found");
	});

	it.each(ofVideos)("answers $name of a deleted video of one's own as an unknown one does", async (operation) => {
		const { video } = await initiate(service, owner);
		expect((await service.send({ method: "DELETE", path: `/v1/videos/${video.id}`, headers: owner })).status).toBe(204);
		expect(await expectAlike(operation, video.id, owner)).toBe("404 video_not_found");
	});

	it.each(ofVideos)(
		"answers $name between sandbox sessions, and between a session and a domain, as an unknown video does",
		async (operation) => {
			const [mine, session] = [await sandboxAuth(service), await sandboxAuth(service)];
			const refusal = operation.sandbox === "allowed" ? "404 video_not_found" : "403 sandbox_not_allowed";
			for (const id of [(await initiate(service, session)).video.id, (await initiate(service, owner)).video.id]) {
				expect(await expectAlike(operation, id, mine)).toBe(refusal);
			}
			expect(await expectAlike(operation, (await initiate(service, session)).video.id, asking)).toBe(
				"404 video_not_found",
			);
		},
	);

	it.each(others)("answers $name as what nobody has does", async (operation) => {
		const [, find] = Object.entries(finders).find(([path]) => operation.path.startsWith(path)) ?? [];
		if (find === undefined)
			throw new Error(`Say in this test how to come by something of the owner's for ${operation.path}.`);
		const id = await find();
		expect(await expectAlike(operation, id, asking)).toMatch(/^404 (\w+_)?not_found$/);
		expect(await expectAlike(operation, id, await sandboxAuth(service))).toBe(
			operation.sandbox === "refused" ? "403 sandbox_not_allowed" : "404 not_found",
		);
	});

	it.each(ofListeners)("answers $name with one's own events alone, whoever has a listener of that id", async () => {
		const id = "3f0c1d2e-4b5a-4c6d-8e7f-90a1b2c3d4e5";
		const listen = async (headers: Headers) => {
			const answer = await service.send({
				method: "POST",
				path: `/v1/webhook-listeners/${id}/events`,
				headers,
				json: {},
			});
			return answer.json as HeardEvents;
		};
		const first = await listen(owner);
		await service.send({
			method: "POST",
			path: "/v1/webhook-listeners/trigger",
			headers: owner,
			json: { type: "video.ready" },
		});
		expect(await listen(asking)).toMatchObject({ is_new: true, data: [] });
		expect((await listen(asking)).secret).not.toBe(first.secret);
		expect((await listen(owner)).data.map(({ type }) => type)).toEqual(["video.ready"]);
	});

	it.each(ofDelivery)("answers $name as an unknown video does, to whatever credential", async (operation) => {
		const [id, ready] = [await finished(service, owner), (await initiate(service, owner)).video.id];
		const narrowed = await service.send({
			method: "POST",
			path: "/v1/playback-keys",
			headers: owner,
			json: { viewer_ref: "v", video_ids: [unknown] },
		});
		const credentials = [
			owner,
			asking,
			await playbackAuth(service, asking),
			bearer((narrowed.json as { playback_key: string }).playback_key),
			bearer("garbage"),
		];
		for (const one of [id, ready]) {
			for (const headers of credentials)
				expect(await expectAlike(operation, one, headers)).toBe("401 playback_key_invalid");
			expect(await expectAlike(operation, one, {})).toBe("401 playback_key_required");
			expect(await expectAlike({ ...operation, method: "HEAD" }, one, {})).toBe("401");
		}
	});

	it.each(ofUploads)("answers $name as an unknown upload does", async (operation) => {
		const [mine, foreign] = [await initiate(service, asking), await initiate(service, owner)];
		expect(await expectAlike(operation, foreign.video.id, bearer(mine.upload.token))).toMatch(/^401/);
	});
});
