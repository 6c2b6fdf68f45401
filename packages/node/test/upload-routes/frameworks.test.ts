import { transfer } from "@reelmill/client/transfer";
import type { PageUpload, PageVideo, PlaybackKey } from "@reelmill/contracts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openService, type Service } from "../../../http/test/support/open-service.ts";
import { createReelmill, isReelmillError, type Reelmill } from "../../src/index.ts";
import { backEnds, type Served } from "./back-ends.ts";

let service: Service;
beforeAll(async () => {
	service = await openService();
});
afterAll(() => service.close());

const clip = { action: "upload", content_type: "video/mp4", file_size: 20 };

describe.each(Object.entries(backEnds))("upload routes on %s", (name, open) => {
	let reelmill: Reelmill;
	let served: Served;
	beforeAll(async () => {
		// A tenant for each: the clock of the service stands still, and so do its counts of requests.
		const { apiKey } = await service.tenant();
		reelmill = createReelmill({ baseUrl: service.url, apiKey, retry: { limit: 0 } });
		served = await open({
			reelmill,
			person(session) {
				if (session === "broken") throw new Error("the database of sessions is away");
				return session.startsWith("session-of-") ? { ref: `${session.slice(11)}-on-${name}` } : null;
			},
		});
	});
	afterAll(() => served.close());

	const ask = async (body: object, session = "session-of-ada", headers: Record<string, string> = {}) => {
		const response = await fetch(served.url, {
			method: "POST",
			headers: { "content-type": "application/json", "x-session": session, ...headers },
			body: JSON.stringify(body),
		});
		const text = await response.text();
		const json = text.startsWith("{") ? (JSON.parse(text) as Record<string, unknown>) : {};
		return { status: response.status, headers: response.headers, text, json };
	};

	it("gives a ticket to the uploader, the same one again for the same file, and afterwards the video and a key", async () => {
		const first = await ask({ ...clip, fingerprint: "f1", about: "lesson-1" });
		expect(first).toMatchObject({ status: 201, json: { resumed: false, video: { state: "pending_upload" } } });
		expect(first.headers.get("cache-control")).toBe("no-store");
		const { video, upload } = first.json as unknown as PageUpload;
		expect(Object.keys(video)).not.toContain("uploader_ref");
		const again = await ask({ ...clip, fingerprint: "f1", about: "lesson-1" });
		expect(again.json).toMatchObject({ resumed: true, upload });

		if (!upload) throw new Error("the first call got no ticket");
		await transfer({ source: new Blob(["the bytes of a video"]), size: 20, ticket: upload });
		expect(await reelmill.videos.get(video.id)).toMatchObject({
			uploaded_at: expect.any(String),
			uploader_ref: `ada-on-${name}`,
			external_ref: "lesson-1",
		});
		const seen = await ask({ action: "video", video_id: video.id });
		expect(seen).toMatchObject({ status: 200, json: { id: video.id, uploaded_at: expect.any(String) } });
		expect((seen.json as unknown as PageVideo).visibility).toBe("private");
		const key = await ask({ action: "playback_key", video_id: video.id });
		expect(key.status).toBe(201);
		expect((key.json as unknown as PlaybackKey).playback_key).toEqual(expect.any(String));
	});

	it("tells the back end the file's name, in a form that fits a reference", async () => {
		const asked = { ...clip, fingerprint: "f-name", file_name: `\0${"a".repeat(254)}🎬.mp4` };
		const { json } = await ask(asked, "session-of-ida");
		const { video } = json as unknown as PageUpload;
		expect((await reelmill.videos.get(video.id)).external_ref).toBe(`${"a".repeat(254)}\ufffd`);
		expect((await ask(asked, "session-of-ida")).json).toMatchObject({ resumed: true, video: { id: video.id } });
		expect(await ask({ ...asked, file_name: 7 }, "session-of-ida")).toMatchObject({ status: 400 });
	});

	it("continues what a browser keeps if it is this person's and for this purpose, and begins anew if it has ended", async () => {
		const idOf = ({ json }: { json: object }) => (json as PageUpload).video.id;
		const first = await ask({ ...clip, about: "lesson-1" }, "session-of-gus");
		const kept = [idOf(first)];
		const again = await ask({ ...clip, kept, about: "lesson-1" }, "session-of-gus");
		expect(again.json).toMatchObject({ video: { id: kept[0] }, upload: null, resumed: true });

		const otherPurpose = await ask({ ...clip, kept, about: "lesson-2" }, "session-of-gus");
		expect(otherPurpose).toMatchObject({ status: 409, json: { error: "concurrent_upload_exists" } });
		const otherPerson = await ask({ ...clip, kept, about: "lesson-1" }, "session-of-hal");
		expect(otherPerson).toMatchObject({ status: 201, json: { resumed: false, upload: { protocol: "tus" } } });
		expect(idOf(otherPerson)).not.toBe(kept[0]);

		await reelmill.videos.cancel(kept[0] as string);
		const anew = await ask({ ...clip, kept: [...kept, crypto.randomUUID()], about: "lesson-1" }, "session-of-gus");
		expect(anew.json).toMatchObject({ resumed: false, earlier_state: "cancelled", upload: { protocol: "tus" } });
		const both = { ...clip, kept: [idOf(anew), ...kept, "of-another-service"], about: "lesson-1" };
		const goesOn = await ask(both, "session-of-gus");
		expect(goesOn.json).toMatchObject({ video: { id: idOf(anew) }, upload: null, resumed: true });
		const notIt = await ask({ ...clip, kept: [idOf(otherPerson)], about: "lesson-1" }, "session-of-ida");
		expect(notIt.json).not.toHaveProperty("earlier_state");
		for (const wrong of ["one", [""], ["../domain"], Array.from({ length: 6 }, () => "a")])
			expect(await ask({ ...clip, kept: wrong })).toMatchObject({ json: { error: "validation_error" } });
	});

	it("gives nothing to nobody, and to others no videos but their own", async () => {
		const nobody = await ask(clip, "nobody");
		expect(nobody).toMatchObject({ status: 401, json: { error: "unauthorized", message: "Sign in first." } });
		const { video } = (await ask(clip, "session-of-eve")).json as unknown as PageUpload;
		for (const action of ["video", "playback_key"]) {
			expect(await ask({ action, video_id: video.id }, "nobody")).toMatchObject({ status: 401 });
			expect(await ask({ action, video_id: video.id })).toMatchObject({ status: 403, json: { error: "forbidden" } });
		}
		expect(await ask({ ...clip, about: "not for you" })).toMatchObject({ status: 403, json: { error: "forbidden" } });
	});

	it("tells uploaders the state of what they may not play", async () => {
		const { video } = (await ask({ ...clip, about: "in review" }, "session-of-joe")).json as unknown as PageUpload;
		const asked = { action: "video", video_id: video.id };
		expect(await ask(asked, "session-of-joe")).toMatchObject({ status: 200, json: { state: "pending_upload" } });
		expect(await ask(asked)).toMatchObject({ status: 403 });
		expect(await ask({ ...asked, action: "playback_key" }, "session-of-joe")).toMatchObject({ status: 403 });
	});

	it("refuses pages of other sites, and what a form of theirs can send", async () => {
		const evil = { origin: "https://evil.example" };
		for (const headers of [evil, { ...evil, "sec-fetch-site": "cross-site" }, { "sec-fetch-site": "same-site" }])
			expect(await ask(clip, "session-of-ada", headers)).toMatchObject({
				status: 403,
				json: { error: "csrf_check_failed" },
			});
		const own = { origin: new URL(served.url).origin, "sec-fetch-site": "same-origin" };
		expect((await ask(clip, "session-of-own", own)).status).toBe(201);
		const form = await ask(clip, "session-of-ada", { "content-type": "text/plain" });
		expect(form.status).toBe(415);
		const preflight = await fetch(served.url, {
			method: "OPTIONS",
			headers: { ...evil, "access-control-request-method": "POST" },
		});
		expect(preflight.headers.get("access-control-allow-origin")).toBeNull();
	});

	it("answers a page of an allowed origin with the CORS headers", async () => {
		const headers = { origin: "https://app.example.com", "sec-fetch-site": "cross-site" };
		const preflight = await fetch(served.url, {
			method: "OPTIONS",
			headers: {
				...headers,
				"access-control-request-method": "POST",
				"access-control-request-headers": "content-type,x-session",
			},
		});
		expect(preflight.status).toBe(204);
		expect(Object.fromEntries(preflight.headers)).toMatchObject({
			"access-control-allow-origin": headers.origin,
			"access-control-allow-credentials": "true",
			"access-control-allow-headers": "content-type,x-session",
		});
		const answer = await ask(clip, "session-of-app", headers);
		expect(answer.status).toBe(201);
		expect(answer.headers.get("access-control-allow-origin")).toBe(headers.origin);
		expect(answer.headers.get("vary")?.toLowerCase()).toContain("origin");
	});

	it("passes on the codes, fields and times to wait of the service", async () => {
		const first = await ask({ ...clip, fingerprint: "a" }, "session-of-bo");
		const existing = (first.json as unknown as PageUpload).video.id;
		const other = await ask({ ...clip, fingerprint: "b" }, "session-of-bo");
		expect(other).toMatchObject({
			status: 409,
			json: { error: "concurrent_upload_exists", existing_video_id: existing },
		});
		expect(other.headers.get("x-request-id")).toEqual(expect.any(String));
		expect((await reelmill.videos.get(existing)).state).toBe("pending_upload");

		let answer = first;
		for (let count = 0; answer.status === 201 && count < 10; count++)
			answer = await ask({ ...clip, fingerprint: `c${count}`, replace: true }, "session-of-bo");
		const told = await reelmill.videos
			.initiateOrResume({ content_type: "video/mp4", file_size: 21, uploader_ref: `bo-on-${name}` })
			.catch((error: unknown) => error);
		if (!isReelmillError(told, "rate_limited")) throw told;
		expect(answer).toMatchObject({ status: 429, json: { error: "rate_limited", retryAfter: told.extras.retryAfter } });
		expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);

		const unknown = await ask({ action: "video", video_id: crypto.randomUUID() });
		expect(unknown).toMatchObject({ status: 404, json: { error: "video_not_found" } });
		const wrong = await ask({ ...clip, content_type: "image/png" });
		expect(wrong).toMatchObject({ status: 400, json: { error: "invalid_content_type" } });
	});

	it("creates nothing more if a call is repeated whose answer was lost", async () => {
		const call = { ...clip, call: crypto.randomUUID() };
		const [first, second] = [await ask(call, "session-of-cy"), await ask(call, "session-of-cy")];
		expect([first.status, second.status]).toEqual([201, 201]);
		expect(second.json["video"]).toMatchObject({ id: (first.json as unknown as PageUpload).video.id });
		const stranger = await ask(call, "session-of-dee");
		expect(stranger).toMatchObject({ status: 400, json: { error: "validation_error" } });
	});

	it("refuses what is no call", async () => {
		for (const [body, status] of [
			["{", 400],
			[JSON.stringify({ action: "video", video_id: "../domain" }), 400],
			[JSON.stringify({ action: "destroy" }), 400],
			[JSON.stringify({ ...clip, call: "a b" }), 400],
			[JSON.stringify({ ...clip, about: "x".repeat(70_000) }), 413],
		] as const) {
			// The server may close the connection before the whole body is sent.
			const answer = await fetch(served.url, {
				method: "POST",
				headers: { "content-type": "application/json", "x-session": "session-of-ada" },
				body,
			}).catch(() => ({ status: 413 }));
			expect(answer.status).toBe(status);
		}
	});

	it("leaves it to the framework if a function of the back end fails", async () => {
		const answer = await ask(clip, "broken");
		expect(answer).toMatchObject({ status: 500, text: expect.stringContaining("the database of sessions is away") });
	});
});
