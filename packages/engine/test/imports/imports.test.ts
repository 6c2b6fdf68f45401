import type { CreateImport, Import } from "@reelmill/contracts";
import { createEngine, type Database, type Engine, type TenantPrincipal } from "@reelmill/engine";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createImportSource } from "../../../outbound/src/index.ts";
import { beforeStatement } from "../support/before-statement.ts";
import { holdRow } from "../support/hold-row.ts";
import { type OpenedEngine, openEngine } from "../support/open-engine.ts";
import { clipOf, file, type Origin, openOrigin } from "./origin.ts";

const names: Readonly<Record<string, string>> = { "intranet.example": "10.0.0.7" };
const source = createImportSource({ allow: ["127.0.0.1/32"], lookup: async (name) => [names[name] ?? "127.0.0.1"] });
let opened: OpenedEngine;
let engine: Engine;
let origin: Origin;
let other: Origin;
beforeAll(async () => {
	opened = await openEngine({ importSource: source, windows: { pendingUpload: 120, importSilence: 3600 } });
	({ engine } = opened);
	[origin, other] = [await openOrigin(), await openOrigin()];
});
afterAll(async () => {
	await opened.close();
	await Promise.all([origin.close(), other.close(), source.close()]);
});

const size = 600_000;
const clip = clipOf(size);
let paths = 0;
const path = () => `/clip-${paths++}.mp4`;
const create = (principal: TenantPrincipal, url: string, more: Partial<CreateImport> = {}) =>
	engine.imports.create(principal, { url, ...more });
/** Asks for an import, and lets everything happen that is due. */
async function fetched(principal: TenantPrincipal, url: string, more?: Partial<CreateImport>): Promise<Import> {
	const { id } = await create(principal, url, more);
	await engine.sweep();
	return engine.imports.get(principal, id);
}
async function sourceOf(videoId: string | null, of: Engine = engine): Promise<Buffer> {
	const { read } = await of.jobs.source(videoId ?? "");
	const parts: Uint8Array[] = [];
	for await (const part of await read()) parts.push(part);
	return Buffer.concat(parts);
}
/** Lets time go by until `done` holds: the storage and the network take their own time meanwhile. */
const until = (done: () => Promise<boolean> | boolean, milliseconds = 500) =>
	expect
		.poll(async () => {
			await opened.clock.advance(milliseconds);
			return done();
		})
		.toBe(true);
/** Resolves when the import tells that so many bytes are here. */
const received = (principal: TenantPrincipal, id: string, bytes: number) =>
	until(async () => (await engine.imports.get(principal, id)).bytes_received === bytes);
const videos = async (principal: TenantPrincipal) => (await engine.videos.list(principal, { limit: 100 })).data;
const query = (text: string, ...values: unknown[]) => opened.database.query({ text, values });

describe("an import", () => {
	it("becomes a video like any upload, says no secret of its address, and keeps none after its end", async () => {
		const { principal } = await opened.tenant();
		const at = `${origin.serve("/holiday.mp4", file(clip))}?signature=k3J9`.replace("//", "//ada:l0velace@");
		const created = await create(principal, at, { external_ref: "lesson-1", visibility: "public" });
		expect(created).toMatchObject({
			status: "waiting",
			url: `${origin.url}/holiday.mp4`,
			video_id: null,
			bytes_received: 0,
			file_size: null,
			failure: null,
		});
		const [kept] = await query("select url from reelmill.imports where id = $1", created.id);
		expect(kept?.url).not.toMatch(/k3J9|l0velace/);

		await engine.sweep();
		const done = await engine.imports.get(principal, created.id);
		expect(done).toMatchObject({ status: "done", bytes_received: size, file_size: size, failure: null });
		expect(done.next_attempt_at).toBeNull();
		expect(await engine.videos.get(principal, done.video_id ?? "")).toMatchObject({
			state: "queued",
			content_type: "video/mp4",
			file_size: size,
			external_ref: "lesson-1",
			visibility: "public",
		});
		expect(clip.equals(await sourceOf(done.video_id))).toBe(true);
		const headers = origin.asked.at(-1)?.headers;
		expect(headers?.authorization).toBe(`Basic ${Buffer.from("ada:l0velace").toString("base64")}`);
		const rows = JSON.stringify(await query("select * from reelmill.imports")) + JSON.stringify(opened.logger.entries);
		expect(rows).not.toMatch(/k3J9|l0velace/);
		const { data } = await engine.audit.listOfDomain(principal, { limit: 1, action: "import.created" });
		expect(data[0]).toMatchObject({ action: "import.created", resource: { kind: "import", id: done.id } });
	});

	it("gives its video title and values with the row that names it, and forgets them with the video", async () => {
		const { principal } = await opened.tenant();
		const names = { title: "A day at the sea", values: { album: "2026" } };
		const created = await create(principal, origin.serve(path(), file(clip)), { external_ref: "sea", ...names });
		expect(created).toMatchObject({ title: names.title, external_ref: "sea" });
		expect((await engine.imports.list(principal, { limit: 1 })).data).toEqual([created]);
		await engine.sweep();
		const done = await engine.imports.get(principal, created.id);
		expect(done).toMatchObject({ status: "done", title: names.title, external_ref: "sea" });
		const videoId = done.video_id ?? "";
		expect(await engine.metadata.get(principal, videoId)).toEqual({ video_id: videoId, ...names });
		const found = await engine.videos.list(principal, { limit: 1, metadata_key: "album", metadata_value: "2026" });
		expect(found.data.map(({ id }) => id)).toEqual([videoId]);
		await engine.videos.delete(principal, videoId);
		expect(await engine.imports.get(principal, created.id)).toMatchObject({ title: null });
		const kept = JSON.stringify(await query("select * from reelmill.imports where id = $1", created.id));
		expect(kept).not.toMatch(/at the sea|2026"}/);
	});

	it("takes the type of the first bytes if the origin names none, and refuses what is no video before there is one", async () => {
		const { principal } = await opened.tenant();
		const matroska = Buffer.concat([Buffer.from("1a45dfa3", "hex"), clip]);
		const plain = await fetched(principal, origin.serve(path(), file(matroska, { type: "application/octet-stream" })));
		expect(await engine.videos.get(principal, plain.video_id ?? "")).toMatchObject({
			content_type: "video/x-matroska",
		});
		const unknown = Buffer.alloc(2000, 7);
		const asked = await fetched(principal, origin.serve(path(), file(unknown, { type: null })), {
			content_type: "video/x-unheard-of",
		});
		expect(asked.status).toBe("done");

		const page = Buffer.from("<html><body>Sign in</body></html>".padEnd(2000));
		const picture = Buffer.concat([Buffer.from("ffd8ffe0", "hex"), clip]);
		for (const [bytes, type, as] of [
			[page, "text/html", { sized: false, ranges: false }],
			[picture, "video/mp4", {}],
			[unknown, "application/octet-stream", {}],
		] as const)
			expect(await fetched(principal, origin.serve(path(), file(bytes, { type, ...as })))).toMatchObject({
				status: "failed",
				video_id: null,
				failure: { code: "invalid_content_type", message: expect.stringContaining("can be taken") },
			});
		expect(await videos(principal)).toHaveLength(2);
	});

	it("needs a size: the origin's, or the one that was declared, which must be right", async () => {
		const { principal } = await opened.tenant();
		const unsized = () => origin.serve(path(), file(clip, { sized: false, ranges: false }));
		expect(await fetched(principal, unsized())).toMatchObject({
			status: "failed",
			failure: { code: "size_unknown", message: expect.stringContaining("file_size") },
		});
		expect(await fetched(principal, unsized(), { file_size: size })).toMatchObject({ status: "done" });
		const short = await fetched(principal, unsized(), { file_size: size + 1 });
		expect(short).toMatchObject({ status: "failed", failure: { code: "size_mismatch" } });
		expect(await engine.videos.get(principal, short.video_id ?? "")).toMatchObject({ state: "cancelled" });
		expect(await fetched(principal, unsized(), { file_size: 200_000 })).toMatchObject({
			status: "failed",
			failure: { code: "size_mismatch" },
		});
		// Some storage tells an encoding that the bytes no longer have.
		const named: string = origin.serve(path(), (request, response) =>
			file(clip)(request, response.setHeader("content-encoding", "aws-chunked")),
		);
		for (const at of [origin.serve(path(), file(clip)), named])
			expect(await fetched(principal, at, { file_size: 7 })).toMatchObject({ status: "done", file_size: size });
		expect(await fetched(principal, origin.serve(path(), file(Buffer.alloc(0))))).toMatchObject({
			status: "failed",
			failure: { code: "source_refused" },
		});
	});

	it("goes on where a connection broke, by a range if the origin has them", async () => {
		const { principal } = await opened.tenant();
		for (const ranges of [true, false]) {
			origin.asked.length = 0;
			const cutAfter = (request: number) => [250_000, ranges ? 250_000 : 500_000][request];
			const done = await fetched(principal, origin.serve(path(), file(clip, { ranges, cutAfter })));
			expect(done).toMatchObject({ status: "done", bytes_received: size });
			expect(clip.equals(await sourceOf(done.video_id))).toBe(true);
			expect(origin.asked.map(({ headers }) => headers["if-range"])).toEqual([undefined, '"one"', '"one"']);
			const offsets = origin.asked.map(({ headers }) => Number(headers.range?.slice(6, -1)));
			expect(offsets[0]).toBe(0);
			expect(offsets[1]).toBeGreaterThanOrEqual(65_536);
			expect(offsets[2]).toBeGreaterThan(offsets[1] ?? 0);
		}
	});

	it("never joins two files: a changed one fails, and so does one that can't be told from another", async () => {
		const { principal } = await opened.tenant();
		for (const [etag, next, code] of [
			['"one"', '"two"', "source_changed"],
			[null, null, "source_not_resumable"],
		] as const) {
			let requests = 0;
			const first = file(clip, { etag, cutAfter: () => 250_000 });
			const second = file(clipOf(size, 7), { etag: next });
			const at = origin.serve(path(), (request, response) => (requests++ === 0 ? first : second)(request, response));
			const failed = await fetched(principal, at);
			expect(failed).toMatchObject({ status: "failed", failure: { code } });
			expect(await engine.videos.get(principal, failed.video_id ?? "")).toMatchObject({ state: "cancelled" });
		}
	});

	it("reaches no private address, neither by name nor by redirect, and takes no password along", async () => {
		const { principal } = await opened.tenant();
		for (const url of ["http://10.0.0.1/a.mp4", "http://169.254.169.254/latest", "ftp://files.example/a.mp4", "a.mp4"])
			await expect(create(principal, url)).rejects.toMatchObject({
				code: "validation_error",
				message: expect.stringContaining("url:"),
			});
		const to = (location: string) => origin.serve(path(), (_, response) => response.writeHead(302, { location }).end());
		for (const url of [
			"http://intranet.example/a.mp4",
			to("http://127.0.0.2/a.mp4"),
			to("http://intranet.example/a.mp4"),
			to("http://[::ffff:10.0.0.1]/a.mp4"),
		])
			expect(await fetched(principal, url)).toMatchObject({
				status: "failed",
				video_id: null,
				failure: { code: "address_refused" },
			});
		expect(await fetched(principal, to("file:///etc/passwd"))).toMatchObject({ failure: { code: "source_refused" } });

		const around: string = origin.serve("/around", (_, response) =>
			response.writeHead(307, { location: "/around" }).end(),
		);
		origin.asked.length = 0;
		expect(await fetched(principal, around)).toMatchObject({ failure: { code: "too_many_redirects" } });
		expect(origin.asked).toHaveLength(6);

		const there = other.serve("/there.mp4", file(clip));
		expect(await fetched(principal, to(there).replace("//", "//ada:secret@"))).toMatchObject({ status: "done" });
		expect(other.asked.at(-1)?.headers.authorization).toBeUndefined();
	});

	it("that the origin refuses fails at once, and one that it only can't give now is tried again", async () => {
		const { principal } = await opened.tenant();
		const answering = (status: number, headers = {}) =>
			origin.serve(path(), (_, response) => response.writeHead(status, headers).end());
		expect(await fetched(principal, answering(403))).toMatchObject({
			status: "failed",
			failure: { code: "source_refused", message: expect.stringContaining("403") },
		});
		for (const [status, headers, why] of [
			[200, { "content-encoding": "X-Gzip", "content-type": "video/mp4" }, "sends the file compressed"],
			[302, {}, "redirects to what is no address"],
		] as const)
			expect(await fetched(principal, answering(status, headers))).toMatchObject({
				failure: { code: "source_refused", message: expect.stringContaining(why) },
			});
		const at = answering(503, { "retry-after": "60" });
		const waiting = await fetched(principal, at);
		expect(waiting).toMatchObject({
			status: "waiting",
			failure: { code: "source_unavailable" },
			next_attempt_at: new Date(opened.clock.now() + 60_000).toISOString(),
		});
		origin.serve(new URL(at).pathname, file(clip));
		await opened.clock.advance(60_000);
		await engine.sweep();
		expect(await engine.imports.get(principal, waiting.id)).toMatchObject({ status: "done", failure: null });

		const { id } = await fetched(principal, answering(500));
		for (let attempt = 1; attempt < 12; attempt++) {
			expect((await engine.imports.get(principal, id)).status).toBe("waiting");
			await opened.clock.advance(900_000);
			await engine.sweep();
		}
		expect(await engine.imports.get(principal, id)).toMatchObject({
			status: "failed",
			failure: { code: "source_unavailable" },
		});
	});

	it("ends a silent connection, and keeps the upload open while bytes come", async () => {
		const { principal } = await opened.tenant();
		let send: (from: number, to: number) => void = () => undefined;
		let isClosed = false;
		const at: string = origin.serve(path(), (_, response) => {
			origin.serve(new URL(at).pathname, (_, again) => again.writeHead(503).end());
			response.writeHead(200, { "content-type": "video/mp4", etag: '"one"', "content-length": clip.length });
			response.on("close", () => (isClosed = true));
			send = (from, to) => response.write(clip.subarray(from, to));
			send(0, 140_000);
		});
		const { id } = await create(principal, at);
		const sweeping = engine.sweep();
		for (let sent = 140_000; sent < 560_000; sent += 140_000) {
			await received(principal, id, sent);
			await opened.clock.advance(50_000);
			send(sent, sent + 140_000);
		}
		await received(principal, id, 560_000);
		// More than the two minutes of an upload have passed.
		const { video_id } = await engine.imports.get(principal, id);
		expect(await engine.videos.get(principal, video_id ?? "")).toMatchObject({ state: "pending_upload" });
		await opened.clock.advance(3_595_000);
		await until(() => isClosed);
		await sweeping;
		expect(await engine.imports.get(principal, id)).toMatchObject({
			status: "waiting",
			failure: { code: "source_unavailable" },
		});
		origin.serve(new URL(at).pathname, file(clip));
		await opened.clock.advance(5000);
		await engine.sweep();
		expect(await engine.imports.get(principal, id)).toMatchObject({ status: "done" });
		expect(clip.equals(await sourceOf(video_id))).toBe(true);
	});

	it("is counted and limited as an upload: it waits for what frees again, and fails at what doesn't", async () => {
		const { principal } = await opened.tenant(undefined, { daily_upload_bytes: 800_000 });
		const at = () => origin.serve(path(), file(clip));
		expect(await fetched(principal, at())).toMatchObject({ status: "done" });
		const waiting = await fetched(principal, at());
		const midnight = new Date(Math.ceil(opened.clock.now() / 86_400_000) * 86_400_000);
		expect(waiting).toMatchObject({
			status: "waiting",
			video_id: null,
			file_size: size,
			failure: { code: "upload_quota_exceeded" },
			next_attempt_at: midnight.toISOString(),
		});
		const large = await fetched(principal, origin.serve(path(), file(clipOf(800_001))));
		expect(large).toMatchObject({ status: "failed", failure: { code: "upload_quota_exceeded" } });
		await opened.clock.advance(midnight.getTime() - opened.clock.now());
		await engine.sweep();
		expect(await engine.imports.get(principal, waiting.id)).toMatchObject({ status: "done" });

		const full = await opened.tenant(undefined, { storage_bytes_limit: 1 });
		expect(await fetched(full.principal, at())).toMatchObject({ failure: { code: "storage_quota_exceeded" } });

		const person = { uploader_ref: "ada" };
		const { principal: hourly } = await opened.tenant();
		const own = await engine.videos.create(hourly, { ...person, content_type: "video/mp4", file_size: 10 });
		const second = await fetched(hourly, at(), person);
		expect(second).toMatchObject({ status: "waiting", failure: { code: "concurrent_upload_exists" } });
		await engine.videos.cancel(hourly, own.video.id);
		await opened.clock.advance(60_000);
		await engine.sweep();
		expect(await engine.imports.get(hourly, second.id)).toMatchObject({ status: "done" });
	});

	it("is refused when it is asked for, if what was declared is, and beyond a thousand under way", async () => {
		const { principal } = await opened.tenant();
		const url = "https://files.example/a.mp4";
		for (const [more, code] of [
			[{ content_type: "text/plain" }, "invalid_content_type"],
			[{ file_size: 209_715_201 }, "file_too_large"],
			[{ duration_seconds: 901 }, "duration_too_long"],
		] as const)
			await expect(create(principal, url, more)).rejects.toMatchObject({ code });
		const { principal: busy } = await opened.tenant();
		const { id } = await create(busy, url);
		await query(
			`insert into reelmill.imports select gen_random_uuid(), domain_id, status, url, shown_url, input, request_id, content_type, file_size, validator, video_id,
				bytes_received, run, 'infinity', attempts, failure_code, failure_message, created_at, updated_at, ended_at
			from reelmill.imports, generate_series(2, 1000) where id = $1`,
			id,
		);
		await expect(create(busy, url)).rejects.toMatchObject({ code: "import_limit_reached" });
		await engine.imports.cancel(busy, id);
		expect(await create(busy, url)).toMatchObject({ status: "waiting" });
		await query("delete from reelmill.imports where domain_id = $1", busy.domainId);
	});

	it("under a key is created once, at once too, and the key is the domain's", async () => {
		const { principal } = await opened.tenant();
		const url = origin.serve(path(), file(clip));
		const key = { idempotencyKey: "k" };
		const all = await Promise.all([1, 2, 3].map(() => engine.imports.create(principal, { url }, undefined, key)));
		expect(new Set(all.map(({ id }) => id)).size).toBe(1);
		await engine.sweep();
		expect(await engine.imports.create(principal, { url }, undefined, key)).toMatchObject({ status: "done" });
		await expect(engine.imports.create(principal, { url: `${url}?b` }, undefined, key)).rejects.toMatchObject({
			code: "validation_error",
		});
		await expect(
			engine.videos.create(principal, { content_type: "video/mp4", file_size: 10 }, key),
		).rejects.toMatchObject({ code: "validation_error" });
		expect(await videos(principal)).toHaveLength(1);
		const { data } = await engine.audit.listOfDomain(principal, { limit: 10, action: "import.created" });
		expect(data).toHaveLength(1);
	});

	it("is listed by status, page by page, to its domain alone", async () => {
		const { principal } = await opened.tenant();
		const stranger = await opened.tenant();
		const made: string[] = [];
		for (let count = 0; count < 3; count++) {
			await opened.clock.advance(1);
			made.push((await create(principal, "https://files.example/a.mp4")).id);
		}
		const [first = "", second = "", third = ""] = made;
		await engine.imports.cancel(principal, second);
		await engine.imports.cancel(principal, second);
		const page = await engine.imports.list(principal, { limit: 2 });
		expect(page.data.map(({ id }) => id)).toEqual([third, second]);
		const next = await engine.imports.list(principal, { limit: 2, cursor: page.next_cursor ?? "" });
		expect([next.data.map(({ id }) => id), next.next_cursor]).toEqual([[first], null]);
		const cancelled = await engine.imports.list(principal, { limit: 2, status: "cancelled" });
		expect(cancelled.data.map(({ id }) => id)).toEqual([second]);
		expect((await engine.imports.list(stranger.principal, { limit: 2 })).data).toEqual([]);
		for (const call of ["get", "cancel"] as const) {
			await expect(engine.imports[call](stranger.principal, first)).rejects.toMatchObject({ code: "import_not_found" });
			await expect(engine.imports[call](principal, "not-an-id")).rejects.toMatchObject({ code: "import_not_found" });
		}
		const { data } = await engine.audit.listOfDomain(principal, { limit: 10, action: "import.cancelled" });
		expect(data.map(({ resource }) => resource.id)).toEqual([second]);
		await opened.clock.advance(31 * 86_400_000);
		await engine.sweep();
		await engine.sweep();
		expect((await engine.imports.list(principal, { limit: 10, status: "cancelled" })).data).toEqual([]);
	});

	it("ends with its cancellation, with its video, and with the person who uploaded", async () => {
		const { principal } = await opened.tenant();
		const ends = {
			cancel: async ({ id }: Import) => engine.imports.cancel(principal, id),
			video: async ({ video_id }: Import) => void (await engine.videos.cancel(principal, video_id ?? "")),
			erasure: async () => void (await engine.erasures.create(principal, { uploader_ref: "ada" })),
		};
		for (const [how, end] of Object.entries(ends)) {
			let isClosed = false;
			const at = origin.serve(path(), (_, response) => {
				response.on("close", () => (isClosed = true));
				response.writeHead(200, { "content-type": "video/mp4", "content-length": clip.length });
				response.write(clip.subarray(0, 100_000));
			});
			const { id } = await create(principal, at, { uploader_ref: "ada", title: "A long film" });
			const sweeping = engine.sweep();
			const now = () => engine.imports.get(principal, id);
			await received(principal, id, 100_000);
			const running = await now();
			await end(running);
			await until(() => isClosed, 60_000);
			await sweeping;
			if (how === "erasure") await expect(now()).rejects.toMatchObject({ code: "import_not_found" });
			else {
				if (how === "video") await engine.sweep();
				expect(await now()).toMatchObject({ status: "cancelled", title: "A long film", failure: null });
				expect(await engine.videos.get(principal, running.video_id ?? "")).toMatchObject({ state: "cancelled" });
			}
		}
	});

	it("initiates nothing for a person who was erased since it was read, and hides none from who erases meanwhile", async () => {
		const { principal } = await opened.tenant();
		const erase = () => engine.erasures.create(principal, { uploader_ref: "ada" });
		const named = `select from reelmill.videos where domain_id = '${principal.domainId}' and (uploader_ref is not null or external_ref is not null)`;
		const due = () =>
			create(principal, origin.serve(path(), file(clip)), { uploader_ref: "ada", external_ref: "order-1" });
		await due();
		const server = createEngine({
			...opened.options,
			database: beforeStatement(opened.database, /initiate_upload/, erase),
		});
		await server.sweep();
		await server.stop();
		expect(await videos(principal)).toEqual([]);

		await due();
		const domain = await holdRow(
			opened.database,
			"select from reelmill.domains where id = $1 for update",
			principal.domainId,
		);
		const swept = engine.sweep();
		await domain.waiters(1);
		const erased = erase();
		await domain.waiters(2);
		await domain.letGo();
		await Promise.all([swept, erased]);
		expect(await query(named)).toEqual([]);
	});

	it("keeps its upload open when a server takes it, though that one falls as well", async () => {
		const { principal } = await opened.tenant();
		const diesAfter = (statement: string): Engine => {
			let isDead = false;
			const database: Database = {
				...opened.database,
				async query({ text, values }) {
					if (isDead) throw new Error("killed");
					isDead = text.includes(statement);
					return opened.database.query({ text, values });
				},
			};
			return createEngine({ ...opened.options, database });
		};
		const { id } = await create(principal, origin.serve(path(), file(clip)));
		for (const statement of ["input = input - 'title'", "set status = 'downloading'"]) {
			await diesAfter(statement)
				.sweep()
				.catch(() => undefined);
			await opened.clock.advance(100_000);
		}
		await engine.sweep();
		expect(await engine.imports.get(principal, id)).toMatchObject({ status: "done" });
	});

	it("goes on at another server, whichever statement a server is killed before: one video, with its bytes", async () => {
		const { principal } = await opened.tenant();
		/** A server that is killed before a statement, counted from the one by which it takes the import. */
		const mortal = (statements: number) => {
			let count = -1;
			const database: Database = {
				...opened.database,
				query: async (statement) => {
					if (count >= 0 || statement.text.includes("set status = 'downloading'")) count++;
					if (count > statements) throw new Error("killed");
					return opened.database.query(statement);
				},
			};
			return { server: createEngine({ ...opened.options, database }), counted: () => count };
		};
		const run = async (statements: number) => {
			const { id } = await create(principal, origin.serve(path(), file(clip)), { title: "Told once" });
			const { server, counted } = mortal(statements);
			await server.sweep().catch(() => undefined);
			return { id, count: counted() };
		};
		const whole = await run(Number.POSITIVE_INFINITY);
		expect(await engine.imports.get(principal, whole.id)).toMatchObject({ status: "done" });
		expect(whole.count).toBeGreaterThan(10);
		for (let statements = 0; statements < whole.count; statements++) {
			const before = await videos(principal);
			const { id } = await run(statements);
			// The leases of a killed server last for seconds that no test waits for.
			await query("delete from reelmill.upload_servers where since > '-infinity'");
			await opened.clock.advance(35_000);
			await engine.sweep();
			const done = await engine.imports.get(principal, id);
			expect(done, `killed before statement ${statements}`).toMatchObject({
				status: "done",
				title: "Told once",
				bytes_received: size,
			});
			expect(clip.equals(await sourceOf(done.video_id))).toBe(true);
			expect(await videos(principal)).toHaveLength(before.length + 1);
		}
	});

	it("goes on at another server also if uploads stay open for hardly longer than a server's lease", async () => {
		const { principal } = await opened.tenant();
		let [isKilled, isOver] = [false, false];
		let cut = (): unknown => undefined;
		const database: Database = {
			...opened.database,
			query: (statement) => (isKilled ? Promise.reject(new Error("killed")) : opened.database.query(statement)),
		};
		const short = { ...opened.options, windows: { ...opened.options.windows, pendingUpload: 40 } };
		const at: string = origin.serve(path(), (_, response) => {
			origin.serve(new URL(at).pathname, file(clip));
			response.writeHead(200, { "content-type": "video/mp4", etag: '"one"', "content-length": clip.length });
			response.write(clip.subarray(0, 140_000));
			cut = () => response.destroy();
		});
		const { id } = await create(principal, at);
		const end = () => (isOver = true);
		void createEngine({ ...short, database })
			.sweep()
			.then(end, end);
		await received(principal, id, 140_000);
		await opened.clock.advance(15_000);
		isKilled = true;
		cut();
		await until(() => isOver);
		await query("delete from reelmill.upload_servers where since > '-infinity'");
		await opened.clock.advance(35_000);
		await createEngine(short).sweep();
		expect(await engine.imports.get(principal, id)).toMatchObject({ status: "done" });
	});

	it("is refused by an engine that has no way out", async () => {
		const { importSource: _, ...options } = opened.options;
		const { principal } = await opened.tenant();
		const closed = createEngine(options);
		await expect(closed.imports.create(principal, { url: "https://files.example/a.mp4" })).rejects.toMatchObject({
			code: "imports_unavailable",
		});
	});
});
