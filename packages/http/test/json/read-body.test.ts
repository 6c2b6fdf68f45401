import { createServer } from "node:http";
import { isJsonOperation } from "@reelmill/contracts";
import { createHandler, createNodeListener } from "@reelmill/http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Named, served } from "../support/contract.ts";
import { unlimited } from "../support/credentials.ts";
import { minimalRequest } from "../support/minimal.ts";
import { adminKey, claimed, initiate, listen, openService, type Service } from "../support/open-service.ts";
import { answerOf, bearer, open, type Sent } from "../support/send.ts";
import { signIn } from "../support/sessions.ts";
import { metadata, tusFor } from "../support/tus.ts";
import { zipOf } from "../support/zip.ts";

let service: Service;
beforeAll(async () => {
	service = await openService({}, () => ({ rateLimiter: unlimited }));
	await service.engine.start();
	await service.engine.stop();
});
afterAll(() => service.close());

const unknown = "00000000-0000-4000-8000-000000000000";
const json = { "content-type": "application/json" };
const bodiless = served.filter(
	(operation) => operation.body === undefined && (isJsonOperation(operation) || operation.name === "getFrame"),
);

/** A request with the operation's credential and nothing wrong but its ids, which are unknown. */
async function rightRequest(operation: Named): Promise<Sent> {
	const headers = {
		none: {},
		tenant: (await service.tenant()).auth,
		service: await service.serviceAuth(),
		admin: bearer(adminKey),
		console: (await signIn(service, { role: "member" })).headers,
	};
	return { ...minimalRequest(operation, unknown), headers: headers[operation.auth as keyof typeof headers] };
}

describe("an operation without a body", () => {
	it.each(bodiless)("takes none or {} and refuses anything else: $name", async (operation) => {
		const request = await rightRequest(operation);
		const send = (body: string, headers: Record<string, string> = json) =>
			service.send({ ...request, body, headers: { ...request.headers, ...headers } });
		const refusals: [string, Record<string, string>, number, string][] = [
			['{"foo":1}', json, 400, "validation_error"],
			["[]", json, 400, "validation_error"],
			["{", json, 400, "bad_request"],
			["{}", { "content-type": "text/plain" }, 400, "bad_request"],
			["foo=1", {}, 400, "bad_request"],
			[`{"foo":"${"x".repeat(66_000)}"}`, json, 413, "bad_request"],
		];
		for (const [body, headers, status, error] of refusals) {
			const answer = await send(body, headers);
			expect([body.slice(0, 20), answer.status, answer.json]).toEqual([
				body.slice(0, 20),
				status,
				{ error, message: expect.any(String) },
			]);
		}
		const plain = await service.send(request);
		expect(plain.status).not.toBe(400);
		const same = [
			"listVideos",
			"getDomain",
			"getLimits",
			"deleteVideo",
			"createSandboxSession",
			"getHealth",
			"getStats",
		].includes(operation.name);
		if (same)
			for (const [body, headers] of [
				["{}", json],
				["", {}],
				["", json],
			] as const)
				expect((await send(body, headers)).status).toBe(plain.status);
	});

	it("does nothing where its body is refused, and waits no longer for one than for others", async () => {
		const { auth } = await service.tenant();
		const rotate = { method: "POST", path: "/v1/domain/rotate-webhook-secret", headers: { ...auth, ...json } };
		expect(await service.send({ ...rotate, body: '{"foo":1}' })).toMatchObject({
			status: 400,
			json: { message: "foo: unknown key" },
		});
		const server = createServer(createNodeListener(service.engine, { ...service.options, idleTimeoutSeconds: 1 }));
		const stalled = open(await listen(server), {
			...rotate,
			headers: { ...rotate.headers, "transfer-encoding": "chunked" },
		});
		stalled.write("{");
		expect(await answerOf(stalled)).toMatchObject({ status: 408, json: { error: "bad_request" } });
		server.closeAllConnections();
		server.close();
		expect((await service.send({ path: "/v1/domain", headers: auth })).json).toMatchObject({
			webhook_secret_set: false,
		});
		expect(
			(await service.send({ ...rotate, headers: { ...rotate.headers, "transfer-encoding": "chunked" }, body: "" }))
				.status,
		).toBe(200);
	});

	it("is the same in a Fetch handler", async () => {
		const { auth } = await service.tenant();
		const handle = createHandler(service.engine, service.options);
		const status = async (body: string | undefined, headers: Record<string, string> = json) =>
			(
				await handle(
					new Request(`${service.url}/v1/domain/rotate-webhook-secret`, {
						method: "POST",
						headers: { ...auth, ...headers },
						...(body !== undefined && { body }),
					}),
				)
			).status;
		expect([
			await status('{"foo":1}'),
			await status("{"),
			await status("{}", {}),
			await status("{}"),
			await status(undefined, {}),
		]).toEqual([400, 400, 400, 200, 200]);
	});
});

describe("a media type", () => {
	it("is application/merge-patch+json for the merge patch, too, and for nothing else", async () => {
		const { auth } = await service.tenant();
		const send = (method: string, path: string, type: string, body: object) =>
			service.send({ method, path, headers: { ...auth, "content-type": type }, body: JSON.stringify(body) });
		for (const type of ["application/merge-patch+json", "Application/Merge-Patch+JSON; charset=utf-8"]) {
			expect((await send("PATCH", "/v1/domain/config", type, { transcript: true })).json).toMatchObject({
				config: { transcript: true },
			});
		}
		expect(await send("PATCH", "/v1/domain/config", "text/plain", {})).toMatchObject({
			status: 400,
			json: { error: "bad_request" },
		});
		const video = { content_type: "video/mp4", file_size: 10 };
		expect(await send("POST", "/v1/videos", "application/merge-patch+json", video)).toMatchObject({
			status: 400,
			json: { error: "bad_request" },
		});
	});

	it("is the same however it is written: of a video, an outro, a tus chunk and an archive", async () => {
		const { auth } = await service.tenant();
		const created = await initiate(service, auth, { content_type: 'VIDEO/MP4; Codecs="avc1.4D401E"' });
		expect(created.video.content_type).toBe('video/mp4; Codecs="avc1.4D401E"');
		const outro = await service.send({
			method: "POST",
			path: "/v1/outros",
			headers: auth,
			json: { slug: "tail", content_type: "Video/QuickTime", file_size: 10 },
		});
		expect(outro).toMatchObject({ status: 201, json: { outro: { content_type: "video/quicktime" } } });
		const upload = tusFor(service.url, created);
		const type = { "content-type": "Application/Offset+Octet-Stream" };
		expect(
			(await upload.create({ headers: { ...type, "upload-metadata": metadata(created.video.id) }, body: "01234" }))
				.status,
		).toBe(201);
		expect((await upload.patch(5, "56789", type)).status).toBe(204);
		const job = await claimed(service, auth, { content_type: "VIDEO/webm" });
		expect(job.source.content_type).toBe("video/webm");
		const archive = {
			method: "PUT",
			path: `/internal/v1/jobs/${job.id}/outputs?lock=${job.lock}`,
			headers: { ...(await service.serviceAuth()), "content-type": "Application/ZIP" },
			body: await zipOf({ "web.mp4": "mp4" }),
		};
		expect((await service.send(archive)).status).toBe(204);
	});
});

describe("an upload's ticket", () => {
	it("ends exactly when its video expires, and its token no sooner", async () => {
		const { auth } = await service.tenant();
		for (const milliseconds of [1, 499, 998]) {
			await service.clock.advance(milliseconds);
			const { video, upload } = await initiate(service, auth);
			expect(upload.expires_at).toBe(video.expires_at);
			expect(Date.parse(upload.expires_at)).toBe(service.clock.now() + 3_600_000);
			const [, payload = ""] = upload.token.split(".");
			const { exp } = JSON.parse(Buffer.from(payload, "base64url").toString()) as { exp: number };
			expect(exp).toBe(Math.ceil(Date.parse(upload.expires_at) / 1000));
		}
	});
});
