import type { CreatedVideo, CreateVideo } from "@reelmill/contracts";
import { createEngine, type Engine } from "@reelmill/engine";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { beforeStatement } from "../support/before-statement.ts";
import { bytesOf, clip, clipBytes, type OpenedEngine, openEngine } from "../support/open-engine.ts";

let opened: OpenedEngine;
let tenant: Awaited<ReturnType<OpenedEngine["tenant"]>>;
beforeEach(async () => {
	opened = await openEngine();
	tenant = await opened.tenant();
});
afterEach(() => opened.close());

const hour = 3_600_000;
const key = "order-4711";
type Asking = { by?: typeof tenant.principal; on?: Engine; under?: string };
const create = (
	input: Partial<CreateVideo> = {},
	{ by = tenant.principal, on = opened.engine, under = key }: Asking = {},
) => on.videos.create(by, { ...clip, ...input }, { idempotencyKey: under });
const reused = { code: "validation_error", message: expect.stringContaining("Idempotency-Key") };
const count = async (table: string) =>
	(
		await opened.database.query<{ n: number }>({
			text: `select count(*)::integer as n from reelmill.${table}`,
			values: [],
		})
	)[0]?.n;
async function upload({ video, upload: ticket }: CreatedVideo): Promise<void> {
	const token = await opened.engine.uploads.authenticate(`Bearer ${ticket.token}`);
	await opened.engine.uploads.create(token, { videoId: video.id, length: 10 });
	await opened.engine.uploads.append(token, video.id, 0, bytesOf(clipBytes));
}

describe("a creation under a key", () => {
	it("is answered as it was the first time, token and all, whatever became of the video and of the domain's limits", async () => {
		const input = {
			duration_seconds: 8,
			external_ref: "e",
			uploader_ref: "u",
			visibility: "public",
			outro_slug: null,
		} as const;
		const first = await create(input);
		expect(await create(input)).toEqual(first);
		await upload(first);
		await opened.clock.advance(1234);
		expect(await create(input)).toEqual(first);
		const { domains, admin, videos } = opened.engine;
		await domains.updateConfig(tenant.domain.id, { transcript: true, max_file_bytes: 1 });
		await admin.updateDomain(tenant.domain.id, { limits: { daily_upload_bytes: 0, storage_bytes_limit: 0 } });
		await opened.clock.advance(30 * 60_000);
		expect(await create(input)).toEqual(first);
		await expect(create(input, { under: "another" })).rejects.toMatchObject({ code: "file_too_large" });
		await videos.delete(tenant.principal, first.video.id);
		expect(await create(input)).toEqual(first);
		expect(await count("videos")).toBe(1);
	});

	it("takes no place among the uploader's pending uploads, the hour's or the day's a second time", async () => {
		await opened.engine.admin.updateDomain(tenant.domain.id, { limits: { daily_upload_bytes: 10 } });
		const first = await create({ uploader_ref: "u" });
		for (let again = 0; again < 7; again++) expect(await create({ uploader_ref: "u" })).toEqual(first);
		const reserved = await opened.database.query({
			text: "select d.reserved_bytes, u.reserved_bytes as today from reelmill.domains d join reelmill.usage_days u on u.domain_id = d.id where d.id = $1",
			values: [tenant.domain.id],
		});
		expect(reserved).toEqual([{ reserved_bytes: 10, today: 10 }]);
	});

	it("creates once, however many ask at once on two servers", async () => {
		const other = createEngine(opened.options);
		const answers = await Promise.all(
			Array.from({ length: 12 }, (_, index) =>
				create({ uploader_ref: "u" }, { on: index % 2 ? other : opened.engine }),
			),
		);
		for (const answer of answers) expect(answer).toEqual(answers[0]);
		expect(await count("videos")).toBe(1);
		const rivals = await Promise.allSettled(
			["one", "two"].map((external_ref) => create({ external_ref }, { under: "rivals" })),
		);
		expect(rivals.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
		expect(rivals.find(({ status }) => status === "rejected")).toMatchObject({ reason: reused });
		expect(await count("videos")).toBe(2);
	});

	it("goes by what the body says, not by the order of its fields", async () => {
		const first = await opened.engine.videos.create(
			tenant.principal,
			{ content_type: "video/mp4", file_size: 10, external_ref: "e", uploader_ref: undefined },
			{ idempotencyKey: key },
		);
		const again = { external_ref: "e", file_size: 10, content_type: "video/mp4" };
		expect(await opened.engine.videos.create(tenant.principal, again, { idempotencyKey: key })).toEqual(first);
	});

	it("refuses another body, and another operation, and leaves both undone", async () => {
		await create();
		for (const input of [
			{ file_size: 11 },
			{ external_ref: "e" },
			{ outro_slug: null },
			{ content_type: "video/webm" },
		])
			await expect(create(input)).rejects.toMatchObject(reused);
		await expect(
			opened.engine.outros.create(tenant.principal, { slug: "tail", ...clip }, undefined, { idempotencyKey: key }),
		).rejects.toMatchObject(reused);
		expect(await count("videos")).toBe(1);
	});

	it("leaves its key unused if it is refused", async () => {
		await expect(create({ file_size: 2 ** 40 })).rejects.toMatchObject({ code: "file_too_large" });
		await expect(create({ outro_slug: "missing" })).rejects.toMatchObject({ code: "outro_not_found" });
		const first = await create({ uploader_ref: "u" });
		await expect(create({ uploader_ref: "u" }, { under: "second" })).rejects.toMatchObject({
			code: "concurrent_upload_exists",
		});
		await opened.engine.videos.cancel(tenant.principal, first.video.id);
		const second = await create({ uploader_ref: "u" }, { under: "second" });
		expect(second.video.id).not.toBe(first.video.id);
		expect(await create({ uploader_ref: "u" }, { under: "second" })).toEqual(second);
	});

	it("is done or undone as a whole if its server dies in the middle", async () => {
		const dying = (isDone: boolean) => {
			const { database } = opened.options;
			const killed = () => Promise.reject(new Error("killed"));
			return createEngine({
				...opened.options,
				database: {
					...database,
					async query(statement) {
						if (!statement.text.includes("initiate_upload_once")) return database.query(statement);
						if (isDone) await database.query(statement);
						return killed();
					},
				},
			});
		};
		await expect(create({}, { on: dying(false) })).rejects.toThrow("killed");
		expect([await count("videos"), await count("idempotency_keys")]).toEqual([0, 0]);
		await expect(create({}, { on: dying(true) })).rejects.toThrow("killed");
		expect([await count("videos"), await count("idempotency_keys")]).toEqual([1, 1]);
		const { video, upload: ticket } = await create();
		await upload({ video, upload: ticket });
		expect(await count("videos")).toBe(1);
	});

	it("sees what another server created after its own look-up", async () => {
		let first: CreatedVideo | undefined;
		const database = beforeStatement(opened.database, /initiate_upload_once/, async () => {
			first = await create({ uploader_ref: "u" });
		});
		const late = createEngine({ ...opened.options, database });
		expect(await create({ uploader_ref: "u" }, { on: late })).toEqual(first);
	});

	it("belongs to its domain, and to its session in the sandbox", async () => {
		await opened.engine.start();
		const [stranger, sandbox] = [await opened.tenant(), opened.engine.sandbox];
		const session = async () => opened.engine.keys.authenticate(`Bearer ${(await sandbox.createSession()).api_key}`);
		const principals = [tenant.principal, stranger.principal, await session(), await session()];
		const ids: string[] = [];
		for (const by of principals) ids.push((await create({}, { by })).video.id);
		expect(new Set(ids).size).toBe(4);
		for (const [index, by] of principals.entries()) expect((await create({}, { by })).video.id).toBe(ids[index]);
		const { api_key } = await opened.engine.domains.rotateKey(tenant.domain.id);
		const rotated = await opened.engine.keys.authenticate(`Bearer ${api_key}`);
		expect((await create({}, { by: rotated })).video.id).toBe(ids[0]);
	});

	it("is forgotten after 24 hours, also by its row", async () => {
		const first = await create();
		await opened.clock.advance(24 * hour - 1);
		await opened.engine.sweep();
		expect((await create()).video.id).toBe(first.video.id);
		await opened.clock.advance(1);
		const second = await create({ file_size: 9 });
		expect(second.video.id).not.toBe(first.video.id);
		expect(await create({ file_size: 9 })).toEqual(second);
		await opened.clock.advance(24 * hour);
		await opened.engine.sweep();
		expect(await count("idempotency_keys")).toBe(0);
	});

	it("keeps neither the key nor the token in the database", async () => {
		const { upload: ticket } = await create();
		const [row] = await opened.database.query<{ text: string }>({
			text: "select k::text as text from reelmill.idempotency_keys k",
			values: [],
		});
		expect(row?.text).toContain(ticket.metadata.video_id);
		const hidden = [ticket.token, ticket.token.split(".")[2] ?? "", key, Buffer.from(key).toString("hex")];
		for (const secret of hidden) expect(row?.text).not.toContain(secret);
	});

	it("gets a token that is good after a change of the master key", async () => {
		const first = await create();
		const masterKey = new Uint8Array(32).fill(9);
		const turned = createEngine({ ...opened.options, masterKey, previousMasterKeys: [opened.options.masterKey] });
		const again = await create({}, { on: turned });
		expect(again.video).toEqual(first.video);
		for (const { upload: ticket } of [first, again])
			expect(await turned.uploads.authenticate(`Bearer ${ticket.token}`)).toMatchObject({ videoId: first.video.id });
	});
});

describe("an outro under a key", () => {
	const createOutro = (label?: string) =>
		opened.engine.outros.create(tenant.principal, { slug: "tail", ...clip, ...(label && { label }) }, undefined, {
			idempotencyKey: key,
		});

	it("is created once, noted once, and replaces nothing when it is asked for again", async () => {
		const before = await opened.engine.outros.create(tenant.principal, { slug: "tail", ...clip });
		const first = await createOutro("Spring");
		expect(await createOutro("Spring")).toEqual(first);
		await expect(createOutro("Autumn")).rejects.toMatchObject(reused);
		const later = await opened.engine.outros.create(tenant.principal, { slug: "tail", ...clip });
		expect(await createOutro("Spring")).toEqual(first);
		expect((await opened.engine.outros.get(tenant.principal, "tail")).id).toBe(later.outro.id);
		const { data } = await opened.engine.audit.list({ domain_id: tenant.domain.id, limit: 100 });
		expect(data.filter(({ action }) => action === "outro.created")).toHaveLength(3);
		expect(new Set([before, first, later].map(({ outro }) => outro.id)).size).toBe(3);
	});
});
