import type { Entry, Told } from "../../history/entries.ts";
import type { Run } from "../../invariants/invariant.ts";
import type { FinalState } from "../../world/observe/final-state.ts";

export const video = "11111111-1111-4111-8111-111111111111";
export const abandoned = "22222222-2222-4222-8222-222222222222";
export const lock = "33333333-3333-4333-8333-333333333333";
export const firstLock = "44444444-4444-4444-8444-444444444444";
export const clip = "88888888-8888-4888-8888-888888888888";
const domain = "55555555-5555-4555-8555-555555555555";
export const prefix = `${domain}/${video}/${lock}/77777777-7777-4777-8777-777777777777/`;

const clipPrefix = `${domain}/${clip}/${lock}/99999999-9999-4999-8999-999999999999/`;

/** Entries that are a second apart. */
const at = (...all: readonly Told[]): Entry[] => all.map((told, index) => ({ at: index * 1000, ...told }));

const history = at(
	{ kind: "initiated", video, domain, size: 1000, sha256: "abc", seed: 1, intent: "finish" },
	{
		kind: "request",
		who: "client-0",
		what: "patch",
		server: 0,
		way: "clients",
		startedAt: 900,
		milliseconds: 100,
		outcome: 204,
	},
	{ kind: "acknowledged", video, offset: 400, by: "write", askedAt: 900 },
	{ kind: "acknowledged", video, offset: 1000, by: "write", askedAt: 2100 },
	{ kind: "finished", video },
	{ kind: "initiated", video: abandoned, domain, size: 500, sha256: "def", seed: 1, intent: "abandon" },
	{ kind: "claimed", video, lock: firstLock, attempt: 1, worker: "worker-0" },
	{ kind: "killed", what: "worker", name: "worker-0" },
	{ kind: "postgres", is: "up" },
	{ kind: "serving-again", server: 0, since: 8000, milliseconds: 200 },
	{ kind: "claimed", video, lock, attempt: 2, worker: "worker-1" },
	{ kind: "fetched", video, lock, sha256: "abc" },
	{ kind: "completed", video, lock },
	{ kind: "served", video, path: "web.mp4", etag: `"${lock}-d2Vi"`, sha256: "123", madeBy: lock },
	{ kind: "received", delivery: "one", type: "video.ready", video, genuine: true, answer: "takes it" },
	{ kind: "edits", video, of: "captions", number: 1 },
	{ kind: "edited", video, of: "captions", number: 1 },
	{ kind: "edits", video, of: "captions", number: 2 },
	{ kind: "read-edit", video, of: "captions", number: 2 },
	{ kind: "edits", video, of: "poster", number: 1 },
	{ kind: "edited", video, of: "poster", number: 1 },
	{ kind: "read-edit", video, of: "poster", number: 1 },
	{ kind: "cuts", source: video, key: "clip-1", first: 2, pictures: 9 },
	{ kind: "cut", source: video, key: "clip-1", video: clip, first: 2, pictures: 9 },
	{ kind: "read-clip", video: clip, first: 2, pictures: 9 },
	{ kind: "imports", number: 1 },
	{ kind: "importing", number: 1, id: "import" },
	{ kind: "origin", number: 1, manner: "serves it" },
	{ kind: "received", delivery: "four", type: "video.ready", video: clip, genuine: true, answer: "takes it" },
	{ kind: "received", delivery: "five", type: "video.updated", video, genuine: true, answer: "takes it" },
	{ kind: "received", delivery: "six", type: "video.updated", video, genuine: true, answer: "takes it" },
	{ kind: "received", delivery: "two", type: "video.expired", video: abandoned, genuine: true, answer: "takes it" },
	{
		kind: "initiated",
		video: "66666666-6666-4666-8666-666666666666",
		domain,
		size: 70,
		sha256: "ghi",
		seed: 1,
		intent: "cancel",
	},
	{ kind: "ended", video: "66666666-6666-4666-8666-666666666666", by: "cancel" },
	{ kind: "lied", video, lock: firstLock, how: "an empty file", told: "outputs_incomplete" },
	{ kind: "wrong-key", server: 0, accepted: false, said: "REELMILL_MASTER_KEY is not the key of this database." },
	{ kind: "cut-power", uploads: 2, bytes: 1400, outputs: 1, lost: [] },
	{ kind: "sessions", count: 20 },
	{
		kind: "recovered",
		fault: "kill-server",
		server: 0,
		since: 22_000,
		milliseconds: 400,
		inBucket: false,
		withWebhook: false,
	},
	{
		kind: "received",
		delivery: "three",
		type: "video.cancelled",
		video: "66666666-6666-4666-8666-666666666666",
		genuine: true,
		answer: "takes it",
	},
);

const rest = { domain, failureReason: null, source: null, deleted: false, inBucket: false, outputs: null } as const;
const chain = (of: string, first: number, ...states: readonly string[]): FinalState["moves"] =>
	states.map((to, index) => ({
		seq: first + index,
		video: of,
		from: states[index - 1] ?? null,
		to,
		at: (first + index) * 1000,
	}));

const final: FinalState = {
	videos: [
		{ ...rest, id: video, state: "available", fileSize: 1000, outputs: { prefix, files: { "web.mp4": 60 } } },
		{ ...rest, id: abandoned, state: "expired", fileSize: 500 },
		{ ...rest, id: "66666666-6666-4666-8666-666666666666", state: "cancelled", fileSize: 70 },
		{ ...rest, id: clip, source: video, state: "available", fileSize: 40, outputs: { prefix: clipPrefix, files: {} } },
	],
	imports: [{ id: "import", url: "http://origin.faults.test/1.mp4", status: "done", failure: null, video }],
	posters: [{ video, job: "job", attempts: 1 }],
	deliveries: [
		{ id: "one", video, type: "video.ready", changed: null, status: "delivered", attempts: 1 },
		{ id: "two", video: abandoned, type: "video.expired", changed: null, status: "delivered", attempts: 1 },
		{
			id: "three",
			video: "66666666-6666-4666-8666-666666666666",
			type: "video.cancelled",
			changed: null,
			status: "delivered",
			attempts: 1,
		},
		{ id: "four", video: clip, type: "video.ready", changed: null, status: "delivered", attempts: 1 },
		{ id: "five", video, type: "video.updated", changed: ["captions"], status: "delivered", attempts: 1 },
		{ id: "six", video, type: "video.updated", changed: ["poster"], status: "delivered", attempts: 1 },
	],
	domains: [
		{
			id: domain,
			slug: "tenant",
			processing: 0,
			storedBytes: 60,
			reservedBytes: 0,
			uploadedBytes: 1040,
			dayReservedBytes: 0,
		},
	],
	moves: [
		...chain(video, 3, "pending_upload", "uploaded", "queued", "locked", "encoding", "queued", "locked", "available"),
		...chain(abandoned, 20, "pending_upload", "expired"),
		...chain("66666666-6666-4666-8666-666666666666", 30, "pending_upload", "cancelled"),
		...chain(clip, 40, "uploaded", "queued", "locked", "encoding", "available"),
	],
	claims: [
		{ seq: 1, video, lock: firstLock, attempt: 1, at: 6000 },
		{ seq: 2, video, lock, attempt: 2, at: 9000 },
	],
	chunks: [{ video, number: 0, at: 6500 }],
	givenBack: [{ video, lock: firstLock, saidSo: false, at: 10_000 }],
	dueDeletions: 0,
	differences: [],
	uploads: [],
	outputs: { [`${prefix}web.mp4`]: 60 },
	laterDeletions: [],
	unfinished: [],
	others: { "outputs/~incoming/88888888-8888-4888-8888-888888888888": 300 },
};

/** A short run in which every promise was kept. */
export const soundRun: Run = { history, final, lockSeconds: 3, pendingUploadSeconds: 1, patience: 1 };
