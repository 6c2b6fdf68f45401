import { expect, it } from "vitest";
import type { Entry, Told } from "../../history/entries.ts";
import { invariants, judge } from "../../invariants/index.ts";
import type { Run } from "../../invariants/invariant.ts";
import type { FinalImport, FinalState, FinalVideo } from "../../world/observe/final-state.ts";
import { abandoned, clip, firstLock, lock, prefix, soundRun, video } from "../support/sound-run.ts";

const adding = (...told: readonly Told[]): Run => ({
	...soundRun,
	history: [...soundRun.history, ...told.map((each, index): Entry => ({ at: 60_000 + index, ...each }))],
});
const atTheEnd = (change: Partial<FinalState>): Run => ({ ...soundRun, final: { ...soundRun.final, ...change } });
const withVideo = (id: string, change: Partial<FinalVideo>): Run =>
	atTheEnd({ videos: soundRun.final.videos.map((each) => (each.id === id ? { ...each, ...change } : each)) });
const { deliveries, moves, claims, domains, chunks, imports } = soundRun.final;
const withImport = (change: Partial<FinalImport>): Run =>
	atTheEnd({ imports: imports.map((each) => ({ ...each, ...change })) });
const isNoEdit = ({ changed }: FinalState["deliveries"][number]): boolean => changed === null;
const lateRequest: Told = {
	kind: "request",
	who: "client-0",
	what: "head",
	server: 1,
	way: "clients",
	startedAt: 50_000,
	milliseconds: 10_500,
	outcome: 200,
};
const heartbeat = { ...lateRequest, what: "heartbeat", way: "workers", milliseconds: 5 } as const;
const recovered = (milliseconds: number): Told => ({
	kind: "recovered",
	fault: "cut-bodies",
	server: 1,
	since: 70_000,
	milliseconds,
	inBucket: false,
	withWebhook: false,
});
/** The upload had begun a second before. */
const refusedAtOnce: Run = {
	...adding({ kind: "given-up", video: abandoned, code: "upload_not_pending" }),
	final: {
		...soundRun.final,
		moves: moves.map((move) => (move.video === abandoned ? { ...move, at: move.at + 39_500 } : move)),
	},
};

const broken: readonly (readonly [invariant: string, how: string, run: Run])[] = [
	["initiates are kept", "a video is gone", atTheEnd({ videos: soundRun.final.videos.slice(1) })],
	[
		"acknowledged bytes last",
		"a HEAD tells less",
		adding({ kind: "acknowledged", video, offset: 999, by: "head", askedAt: 59_000 }),
	],
	["whole uploads go on", "a whole upload expired", withVideo(video, { state: "expired" })],
	["bytes are the same", "a worker fetches other bytes", adding({ kind: "fetched", video, lock, sha256: "xyz" })],
	["ends are kept", "a cancelled video goes on", adding({ kind: "ended", video, by: "cancel" })],
	["ends are kept", "a deleted video is there", adding({ kind: "ended", video, by: "delete" })],
	[
		"one life",
		"a move begins where the one before did not end",
		atTheEnd({ moves: moves.filter(({ to }) => to !== "locked") }),
	],
	[
		"one life",
		"a move is not of the table",
		atTheEnd({ moves: [...moves, { seq: 99, video, from: "available", to: "queued", at: 0 }] }),
	],
	["one life", "a state came without a move", withVideo(abandoned, { state: "pending_upload" })],
	["every life ends", "a video is still encoding", withVideo(video, { state: "encoding" })],
	[
		"every life ends",
		"a video failed before its third attempt",
		withVideo(video, { state: "failed", failureReason: "retries_exhausted" }),
	],
	[
		"every life ends",
		"a video failed for no reason of its own",
		withVideo(video, { state: "failed", failureReason: "processing_timeout" }),
	],
	["one event a move", "an event is missing", atTheEnd({ deliveries: deliveries.slice(1) })],
	[
		"one event a move",
		"an event is there twice",
		atTheEnd({ deliveries: [...deliveries, { ...deliveries[0], id: "four" } as FinalState["deliveries"][number]] }),
	],
	[
		"one winner a claim",
		"two workers have one lock",
		adding({ kind: "claimed", video, lock, attempt: 2, worker: "worker-2" }),
	],
	[
		"one winner a claim",
		"a lock was never given out",
		adding({ kind: "claimed", video, lock: abandoned, attempt: 3, worker: "worker-2" }),
	],
	["one winner a claim", "an attempt is missing", atTheEnd({ claims: claims.slice(1) })],
	["one completion", "two attempts complete", adding({ kind: "completed", video, lock: firstLock })],
	[
		"one completion",
		"the outputs are another attempt's",
		withVideo(video, { outputs: { prefix: prefix.replace(lock, firstLock), files: {} } }),
	],
	["one completion", "a completed video failed", withVideo(video, { state: "failed" })],
	["no chunk twice", "the next worker begins again", atTheEnd({ chunks: [...chunks, { video, number: 0, at: 9500 }] })],
	[
		"no stale byte",
		"an earlier attempt's bytes were served",
		adding({ kind: "served", video, path: "web.mp4", etag: `"${lock}-d2Vi"`, sha256: "123", madeBy: firstLock }),
	],
	[
		"no stale byte",
		"a file changes",
		adding({ kind: "served", video, path: "web.mp4", etag: `"${lock}-d2Vi"`, sha256: "456", madeBy: lock }),
	],
	[
		"edits are kept",
		"an earlier one is there",
		adding(
			{ kind: "edited", video, of: "captions", number: 2 },
			{ kind: "read-edit", video, of: "captions", number: 1 },
		),
	],
	["edits are kept", "the last one is gone", adding({ kind: "read-edit", video, of: "captions", number: null })],
	[
		"edits are kept",
		"a poster failed at its first attempt",
		adding({ kind: "read-edit", video, of: "poster", number: null, failed: true }),
	],
	["one event an edit", "an answered edit is told nobody", atTheEnd({ deliveries: deliveries.filter(isNoEdit) })],
	[
		"one event an edit",
		"a poster is told twice",
		atTheEnd({ deliveries: [...deliveries, ...deliveries.filter((each) => !isNoEdit(each))] }),
	],
	["clips are what was asked", "a clip is gone", atTheEnd({ videos: soundRun.final.videos.slice(0, 3) })],
	["clips are what was asked", "a clip waits for ever", withVideo(clip, { state: "timeout" })],
	[
		"clips are what was asked",
		"a clip failed, and its source is there",
		withVideo(clip, { state: "failed", failureReason: "source_missing" }),
	],
	[
		"clips are what was asked",
		"it begins a picture too late",
		adding({ kind: "read-clip", video: clip, first: 3, pictures: 9 }),
	],
	["clips are what was asked", "it lacks a picture", adding({ kind: "read-clip", video: clip, first: 2, pictures: 8 })],
	[
		"clips are what was asked",
		"one key made two clips",
		atTheEnd({
			videos: soundRun.final.videos.flatMap((each) => (each.id === clip ? [each, { ...each, id: lock }] : [each])),
		}),
	],
	[
		"clips are what was asked",
		"one key was answered with two clips",
		adding({ kind: "cut", source: video, key: "clip-1", video: lock, first: 2, pictures: 9 }),
	],
	["imports end", "an import is gone", atTheEnd({ imports: [] })],
	["imports end", "it is still waiting", withImport({ status: "waiting" })],
	["imports end", "it failed, and the file is the same", withImport({ status: "failed", failure: "source_changed" })],
	["imports end", "nobody cancelled it", withImport({ status: "cancelled" })],
	["imports end", "its video is not there", withImport({ video: lock })],
	[
		"imports end",
		"one key made two",
		atTheEnd({ imports: imports.flatMap((each) => [each, { ...each, id: "another" }]) }),
	],
	[
		"every event arrives",
		"nobody took it",
		{ ...soundRun, history: soundRun.history.filter(({ kind }) => kind !== "received") },
	],
	[
		"every event arrives",
		"it is still pending",
		atTheEnd({ deliveries: deliveries.map((each) => ({ ...each, status: "pending" })) }),
	],
	[
		"nothing untrue is told",
		"an event that did not happen",
		adding({ kind: "received", delivery: "nine", type: "video.ready", video, genuine: true, answer: "takes it" }),
	],
	[
		"nothing untrue is told",
		"a forged one",
		adding({ kind: "received", delivery: "one", type: "video.ready", video, genuine: false, answer: "takes it" }),
	],
	[
		"counters are exact",
		"a slot was never freed",
		atTheEnd({ domains: domains.map((each) => ({ ...each, processing: 1 })) }),
	],
	[
		"counters are exact",
		"bytes were counted twice",
		atTheEnd({ domains: domains.map((each) => ({ ...each, uploadedBytes: 2000 })) }),
	],
	["storage is tidy", "an output is short", atTheEnd({ outputs: { [`${prefix}web.mp4`]: 59 } })],
	[
		"storage is tidy",
		"an output lies about",
		atTheEnd({ outputs: { ...soundRun.final.outputs, [`${prefix.replace(lock, firstLock)}web.mp4`]: 60 } }),
	],
	["storage is tidy", "a raw upload lies about", atTheEnd({ uploads: [abandoned] })],
	["storage is tidy", "an upload to a bucket is half made", atTheEnd({ unfinished: [`${abandoned}/parts`] })],
	[
		"storage is tidy",
		"an archive of a killed server is there after ten minutes",
		atTheEnd({ others: { "reelmill-outputs-1.zip": 601 } }),
	],
	[
		"rows match storage",
		"the check finds an output without a row",
		atTheEnd({ differences: ["outputs_unknown local a/b/c/"] }),
	],
	["storage is tidy", "bytes are never deleted", atTheEnd({ dueDeletions: 1 })],
	["nobody falls", "a server ended by itself", adding({ kind: "fell", name: "server 0", how: "1" })],
	["nobody waits for ever", "an answer took 10.5 s", adding(lateRequest)],
	[
		"nobody waits for ever",
		"no answer came, and only the database was away",
		adding(
			{ kind: "begins", id: 1, disturbance: { what: "down", way: "database" } },
			{ ...lateRequest, outcome: "TIMEOUT" },
		),
	],
	[
		"serves again soon",
		"a server took 3.1 s",
		adding({ kind: "serving-again", server: 1, since: 50_000, milliseconds: 3100 }),
	],
	[
		"dead workers are replaced",
		"a job was held for 9 s",
		atTheEnd({
			moves: moves.map((move) => (move.from === "encoding" && move.to === "queued" ? { ...move, at: 16_000 } : move)),
		}),
	],
	[
		"nothing ends early",
		"a lock is taken back 2 s after it was renewed",
		{
			...adding(
				{ kind: "claimed", video, lock: abandoned, attempt: 3, worker: "worker-9" },
				{ ...heartbeat, who: "worker-9", startedAt: 60_001, outcome: 200 },
			),
			final: { ...soundRun.final, givenBack: [{ video, lock: abandoned, saidSo: false, at: 62_000 }] },
		},
	],
	[
		"nothing ends early",
		"an upload expires after a second",
		atTheEnd({ moves: moves.map((move) => (move.to === "expired" ? { ...move, at: 20_500 } : move)) }),
	],
	["nothing ends early", "an upload is refused at once", refusedAtOnce],
	[
		"lies are refused",
		"a lie completes a video",
		adding({ kind: "lied", video, lock: firstLock, how: "a mad duration", told: "completed" }),
	],
	[
		"lies are refused",
		"a lie is what is served",
		adding({ kind: "lied", video, lock, how: "a mad duration", told: "nothing" }),
	],
	[
		"wrong keys are refused",
		"a server starts",
		adding({ kind: "wrong-key", server: 1, accepted: true, said: "ready" }),
	],
	[
		"wrong keys are refused",
		"the setting isn't named",
		adding({ kind: "wrong-key", server: 1, accepted: false, said: "TypeError: x is undefined" }),
	],
	[
		"power cuts lose nothing",
		"bytes are missing",
		adding({
			kind: "cut-power",
			uploads: 1,
			bytes: 900,
			outputs: 0,
			lost: [{ key: video, acknowledged: 900, found: "100 bytes" }],
		}),
	],
	["trouble is told as such", "a request was answered 500", adding({ ...lateRequest, milliseconds: 10, outcome: 500 })],
	["sessions are bounded", "58 connections are left", adding({ kind: "sessions", count: 58 })],
	["recovers soon", "it took 6 s once", adding(recovered(100), recovered(100), recovered(6000))],
	["recovers soon", "it mostly took 2 s", adding(recovered(100), recovered(2000), recovered(2000))],
];

it("finds nothing in a run in which every promise was kept", () => {
	expect(judge(soundRun).flatMap(({ breaches }) => breaches)).toEqual([]);
});

it.each(broken)("%s: sees that %s", (name, _how, run) => {
	const breaches = judge(run).find(({ invariant }) => invariant.name === name)?.breaches;
	expect(breaches?.length).toBeGreaterThan(0);
});

it("has a broken run for each invariant", () => {
	expect(new Set(broken.map(([name]) => name))).toEqual(new Set(invariants.map(({ name }) => name)));
});

it("excuses the run's own doing: a frozen server, a stalled connection, a database that went away again", () => {
	const frozen = adding(
		{ kind: "begins", id: 1, disturbance: { what: "frozen", server: 1 } },
		{ ...lateRequest, outcome: "TIMEOUT", startedAt: 60_000 },
	);
	const heldUp = adding(
		{ kind: "begins", id: 1, disturbance: { what: "unreachable", server: 1, way: "clients" } },
		{ ...lateRequest, startedAt: 60_000 },
	);
	const goneAgain = adding(
		{ kind: "begins", id: 1, disturbance: { what: "down", way: "database" } },
		{ kind: "serving-again", server: 1, since: 59_000, milliseconds: 4000 },
	);
	const recovering = adding(
		{ kind: "begins", id: 1, disturbance: { what: "syncs" } },
		{ ...recovered(9000), since: 59_000 } as Told,
		{ kind: "ends", id: 1 },
	);
	for (const run of [frozen, heldUp, goneAgain, recovering])
		expect(judge(run).flatMap(({ breaches }) => breaches)).toEqual([]);
});
