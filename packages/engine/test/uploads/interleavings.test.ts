import {
	createEngine,
	type Database,
	type Engine,
	type EngineOptions,
	type TenantPrincipal,
	type UploadPrincipal,
	type UploadStore,
} from "@reelmill/engine";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { everyOrder, type Gate, interleave, type Ran } from "../support/interleaving.ts";
import { bytesOf, clip, type OpenedEngine, openEngine } from "../support/open-engine.ts";

/** How often the two parties break in upon each other at most: once by day; `all` for every order there is. */
const { REELMILL_INTERLEAVINGS: asked = "1" } = process.env;
const breaks = asked === "all" ? Number.POSITIVE_INFINITY : Number(asked);
const hour = 3_600_000;

let opened: OpenedEngine;
let principal: TenantPrincipal;
beforeAll(async () => {
	opened = await openEngine();
	const tenant = await opened.tenant();
	await opened.engine.domains.updateConfig(tenant.domain.id, {
		webhook_url: "https://tenant.example",
		webhook_secret: "whsec_x",
	});
	principal = tenant.principal;
});
afterAll(() => opened.close());

type Case = { readonly id: string; readonly token: UploadPrincipal; readonly usedBefore: number };

/** A server whose every statement about this video or its domain, and every use of its bytes, passes the gate. */
function gated({ id }: Case, gate: Gate, options: EngineOptions): Engine {
	const isAbout = (values: readonly unknown[]) =>
		values.flat().some((value) => value === id || value === principal.domainId);
	const nameOf = (text: string) => text.trim().replaceAll(/\s+/g, " ").slice(0, 60);
	const database: Database = {
		...options.database,
		query: (statement) =>
			isAbout(statement.values)
				? gate.pass(nameOf(statement.text), () => options.database.query(statement))
				: options.database.query(statement),
	};
	const store = options.uploads;
	const uploads: UploadStore = {
		...store,
		create: (upload) => gate.pass("create the upload", () => store.create(upload)),
		size: (upload) => gate.pass("ask for the size", () => store.size(upload)),
		append: (upload, ...rest) => gate.pass("append bytes", () => store.append(upload, ...rest)),
		discard: (upload) => gate.pass("discard the upload", () => store.discard(upload)),
	};
	return createEngine({ ...options, database, uploads });
}

/** A pending video, the only one of its domain, some of its bytes there. */
async function begin(bytes: number | null): Promise<Case> {
	const usedBefore = await used();
	const { video, upload } = await opened.engine.videos.create(principal, clip);
	const token = await opened.engine.uploads.authenticate(`Bearer ${upload.token}`);
	if (bytes !== null) {
		await opened.engine.uploads.create(token, { videoId: video.id, length: 10 });
		await opened.uploads.append(video.id, 0, bytesOf("x".repeat(bytes)), { limit: 10 });
	}
	return { id: video.id, token, usedBefore };
}

type Upload = {
	readonly there: number | null;
	act(engine: Engine, it: Case): Promise<number>;
	readonly acknowledges: number;
};
const uploads: Record<string, Upload> = {
	"a creation": {
		there: null,
		acknowledges: 0,
		act: async ({ uploads }, { token, id }) => (await uploads.create(token, { videoId: id, length: 10 })).offset,
	},
	"a PATCH with some bytes": {
		there: 2,
		acknowledges: 5,
		act: ({ uploads }, { token, id }) => uploads.append(token, id, 2, bytesOf("xxx")),
	},
	"a PATCH with the last byte": {
		there: 4,
		acknowledges: 10,
		act: ({ uploads }, { token, id }) => uploads.append(token, id, 4, bytesOf("xxxxxx")),
	},
	"a HEAD of an upload whose last step was lost": {
		there: 10,
		acknowledges: 10,
		act: async ({ uploads }, { token, id }) => (await uploads.status(token, id)).offset,
	},
};

type End = {
	readonly state: string;
	readonly event: string;
	act(engine: Engine, it: Case, gate: Gate): Promise<unknown>;
};
const ends: Record<string, End> = {
	"a cancellation": {
		state: "cancelled",
		event: "video.cancelled",
		act: ({ videos }, { id }) => videos.cancel(principal, id),
	},
	"a deletion": {
		state: "cancelled",
		event: "video.cancelled",
		act: ({ videos }, { id }) => videos.delete(principal, id),
	},
	"its termination": {
		state: "cancelled",
		event: "video.cancelled",
		act: ({ uploads }, { token, id }) => uploads.terminate(token, id),
	},
	"its expiry": {
		state: "expired",
		event: "video.expired",
		act: async (engine, _, gate) => {
			// Nobody has waited for an hour meanwhile: what is held back just then is given up after seconds.
			await gate.pass("the hour passes", async () => opened.clock.step(hour));
			await engine.sweep();
		},
	},
};

/** Uploaded bytes that count towards the days' quotas. */
async function used(): Promise<number> {
	const text = "select coalesce(sum(uploaded_bytes), 0)::integer as used from reelmill.usage_days where domain_id = $1";
	const [row] = await opened.database.query<{ used: number }>({ text, values: [principal.domainId] });
	return row?.used ?? 0;
}

async function found({ id, usedBefore }: Case) {
	const text = `select v.state, v.uploaded_at is not null as uploaded, v.deleted_at is not null as deleted, d.processing_count as processing,
			d.reserved_bytes::integer as reserved, d.storage_bytes::integer as stored,
			(select sum(u.reserved_bytes)::integer from reelmill.usage_days u where u.domain_id = d.id) as "reservedOfDay",
			(select count(*)::integer from reelmill.jobs j where j.id = v.id) as jobs, (select count(*)::integer from reelmill.deletions) as deletions,
			array(select type from reelmill.webhook_deliveries w where w.video_id = v.id) as events
		from reelmill.videos v join reelmill.domains d on d.id = v.domain_id where v.id = $1`;
	const [row] = await opened.database.query<{ state: string; uploaded: boolean }>({ text, values: [id] });
	return { ...row, used: (await used()) - usedBefore, bytes: await opened.uploads.size(id) };
}

describe.each(Object.entries(uploads))("%s", (_, upload) => {
	it.each(Object.entries(ends))(
		"and %s come out as if one had come after the other, wherever one breaks in upon the other",
		async (_, end) => {
			const orders = await everyOrder(breaks, async (choices) => {
				const it = await begin(upload.there);
				const ran = await interleave(
					[
						(gate) => upload.act(gated(it, gate, opened.options), it),
						(gate) => end.act(gated(it, gate, opened.options), it, gate),
					],
					choices,
				);
				const { state } = await check(it, upload, end, ran);
				if (state === "queued") await opened.engine.videos.cancel(principal, it.id);
				return ran;
			});
			expect(orders).toBeGreaterThan(3);
		},
		600_000,
	);
});

async function check(it: Case, upload: Upload, end: End, { turns, results }: Ran) {
	const story = turns.map(({ party, name }) => `${party === 0 ? "upload" : "end"}: ${name}`);
	const [uploaded, ended] = results;
	const world = await found(it);
	const isOver = world.state === end.state;
	const isWhole = world.uploaded;
	const settled = {
		processing: world.state === "queued" ? 1 : 0,
		jobs: world.state === "queued" ? 1 : 0,
		reserved: 0,
		reservedOfDay: 0,
		deletions: 0,
	};

	// The end came about, unless the last byte came first and the end is none of a whole upload.
	if (!isOver) expect({ state: world.state, whole: isWhole, story }).toEqual({ state: "queued", whole: true, story });
	expect({ ...world, story }).toMatchObject({
		...settled,
		stored: isOver ? 0 : 10,
		used: isWhole ? 10 : 0,
		events: isOver ? [end.event] : [],
		bytes: isOver ? null : 10,
		story,
	});

	// What was acknowledged was there before the end; what was not is told to be over.
	const lastOf = (party: number) => turns.findLastIndex((turn) => turn.party === party);
	const firstOf = (party: number) => turns.findIndex((turn) => turn.party === party);
	if (uploaded?.status === "fulfilled") {
		expect({ acknowledged: uploaded.value, story }).toEqual({ acknowledged: upload.acknowledges, story });
		expect({ beganAfterTheEnd: isOver && firstOf(0) > lastOf(1), story }).toEqual({ beganAfterTheEnd: false, story });
	} else {
		// Of an upload that was whole before, the end's own look at it may be what completed it.
		const isDone = isOver || (upload.there === clip.file_size && isWhole);
		expect({ code: uploaded?.reason.code, isDone, story }).toEqual({ code: "upload_not_pending", isDone: true, story });
	}
	if (ended?.status === "rejected")
		expect({ code: ended.reason.code, whole: isWhole, story }).toEqual({
			code: "upload_not_pending",
			whole: true,
			story,
		});
	return world;
}
