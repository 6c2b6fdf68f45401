import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { isReelmillError, type Job } from "@reelmill/contracts";
import { createEngine, type Engine, type EngineOptions, type TenantPrincipal, unavailableIn } from "@reelmill/engine";
import { createImportSource } from "../../../outbound/src/index.ts";
import { type Origin, openOrigin } from "../imports/origin.ts";
import { createLocalBuckets, type LocalBuckets } from "../support/local-buckets.ts";
import { type OpenedEngine, openEngine, uploadVideo } from "../support/open-engine.ts";
import { type FailingDatabase, failingDatabase } from "./failing-database.ts";
import { createLeapingClock, type LeapingClock } from "./leaping-clock.ts";

export type World = {
	readonly opened: OpenedEngine;
	readonly clock: LeapingClock;
	readonly buckets: LocalBuckets;
	readonly database: FailingDatabase;
	/** Where imports come from. */
	readonly origin: Origin;
	/** Two servers whose statements fail, and one whose statements don't, for what an act stands on. */
	readonly one: Engine;
	readonly two: Engine;
	readonly sound: Engine;
	/** Opens another server whose statements fail, perhaps with other windows. */
	open(windows?: EngineOptions["windows"]): Engine;
	/** The tenant of this act. */
	readonly principal: TenantPrincipal;
	readonly domainId: string;
	/**
	 * Asks as the SDK, the worker and the browser do: once more if the service says that its database failed. Codes of
	 * `done` tell a caller who asks again that it was done before: then it resolves with undefined.
	 */
	again<T>(ask: () => Promise<T>): Promise<T>;
	again<T>(ask: () => Promise<T>, done: readonly string[]): Promise<T | undefined>;
	/** Asks for what must not be done twice: after a failure it looks first whether that was done. */
	unlessDone(ask: () => Promise<unknown>, isDone: () => Promise<boolean>): Promise<void>;
	/** Does `work` on the upload while holding its lease, as the upload plane does for each request. */
	writing<T>(server: Engine, videoId: string, work: () => Promise<T>): Promise<T>;
	/** A video that was uploaded to a server without faults. */
	uploaded(input?: object): Promise<string>;
	/** The next job. If the answer with its lock was lost, it comes again once that lock has run out. */
	claimed(server: Engine, more?: object): Promise<Job>;
	/** Lets time pass. One of the servers sweeps then, once more if the database failed. */
	pass(seconds: number): Promise<void>;
};

/** How long the upload plane waits for a lease. */
const patienceMilliseconds = 3200;
export const secret = "secret-of-the-tenant";

/** Servers and a database for many acts, each with a tenant of its own. */
export async function openWorld(overrides: Partial<EngineOptions> = {}) {
	const directory = await mkdtemp(join(tmpdir(), "reelmill-statements-"));
	const buckets = createLocalBuckets(directory);
	await buckets.make("one", { AKIDTENANT: secret });
	const clock = createLeapingClock();
	const [origin, importSource] = [await openOrigin(), createImportSource({ allow: ["127.0.0.1/32"] })];
	const opened = await openEngine({
		clock,
		buckets,
		consoleSecret: "a secret of the self-host kind, long enough",
		importSource,
		playbackKeyAlgorithm: "EdDSA",
		windows: { keepFailed: 86_400 },
		...overrides,
	});
	const database = failingDatabase(opened.database);
	const open: World["open"] = (windows) =>
		createEngine({ ...opened.options, database, windows: { ...opened.options.windows, ...windows } });
	const [one, two] = [open(), open()];
	const sound = opened.engine;
	// The built-in domain and the accounts that a start makes.
	await sound.start();
	await sound.stop();

	const again = async <T>(ask: () => Promise<T>, done: readonly string[] = []): Promise<T | undefined> => {
		for (let attempt = 1; ; attempt++) {
			try {
				return await ask();
			} catch (error) {
				if (attempt > 1 && isReelmillError(error) && done.includes(error.code)) return undefined;
				if (attempt === 3 || unavailableIn(error) !== "database") throw error;
			}
		}
	};
	let turns = 0;
	const pass = async (seconds: number) => {
		clock.leap(seconds * 1000);
		await again(() => (turns++ % 2 === 0 ? one : two).sweep());
	};
	const begin = async (): Promise<World> => {
		const { domain, principal } = await opened.tenant(`tenant-${randomUUID().slice(0, 18)}`);
		const config = {
			webhook_url: "https://tenant.example",
			webhook_secret: "whsec_statements",
			outputs: { hls: false },
			max_concurrent_pending_per_uploader: 10,
		};
		await sound.domains.updateConfig(domain.id, config);
		return {
			opened,
			clock,
			buckets,
			database,
			origin,
			one,
			two,
			sound,
			open,
			principal,
			domainId: domain.id,
			again: again as World["again"],
			async unlessDone(ask, isDone) {
				let failed = false;
				await again(async () => {
					if (failed && (await isDone())) return;
					failed = true;
					await ask();
				});
			},
			async writing(server, videoId, work) {
				const signal = AbortSignal.timeout(patienceMilliseconds);
				const lease = await server.uploads.lease(videoId, { onAsked: () => undefined, signal });
				try {
					return await work();
				} finally {
					await lease.release();
				}
			},
			uploaded: async (input = {}) => (await uploadVideo(opened, principal, input)).video.id,
			async claimed(server, more = {}) {
				for (let tries = 0; tries < 3; tries++) {
					const input = { worker: "w", wait_seconds: 0, ...more };
					const job = await again(() => server.jobs.claim(opened.worker, input));
					if (job) return job;
					await pass(91);
				}
				throw new Error("No job came although one waits.");
			},
			pass,
		};
	};
	return {
		begin,
		database,
		/** What of the act is left over once everything had its time: nothing, if all is well. */
		async leftOver({ domainId }: World): Promise<Record<string, number>> {
			database.watch();
			const calm = async (read: typeof held) => {
				let left = await read(opened, clock, domainId);
				if (Object.keys(left).length === 0) return left;
				// Workers wait on both servers, so their pulses beat.
				const over = new AbortController();
				const waiting = [one, two].map((server) =>
					server.jobs.claim(opened.worker, { worker: "waits", wait_seconds: 30 }, over.signal),
				);
				for (let tries = 0; tries < 20 && Object.keys(left).length > 0; tries++) {
					clock.leap(500);
					await pause(25);
					left = await read(opened, clock, domainId);
				}
				over.abort();
				await Promise.all(waiting);
				return left;
			};
			const stillHeld = await calm(held);
			for (const server of [one, two]) {
				clock.leap(100_000);
				await server.sweep();
			}
			return { ...stillHeld, ...(await calm(unfinished)) };
		},
		/** What the tenant is left with, whatever failed meanwhile. */
		outcome: ({ domainId }: World) => outcomeOf(opened, domainId),
		async close() {
			await Promise.all([one.stop(), two.stop()]);
			await opened.close();
			await Promise.all([origin.close(), importSource.close()]);
			await rm(directory, { recursive: true });
		},
	};
}

/** What is held as a server's own, and is nobody's now. */
const held = (opened: OpenedEngine, clock: LeapingClock, domainId: string) =>
	counted(
		opened,
		clock,
		domainId,
		`select
			(select count(*) from reelmill.upload_leases)::integer as leases,
			(select count(*) from reelmill.waiting_workers where until > $1)::integer as "waiting workers",
			(select count(*) from reelmill.duties where expires_at > clock_timestamp())::integer as duties,
			(select count(*) from reelmill.webhook_listeners where domain_id = $2 and expires_at > $1)::integer as listeners`,
	);

/** What hasn't come to its end, although every lock has run out since. */
function unfinished(opened: OpenedEngine, clock: LeapingClock, domainId: string) {
	const own = "(select id from reelmill.videos where domain_id = $2)";
	return counted(
		opened,
		clock,
		domainId,
		`select
			(select count(*) from reelmill.webhook_deliveries where domain_id = $2 and (status = 'pending' or leased_until is not null or replays_owed > 0))::integer as deliveries,
			(select count(*) from reelmill.jobs where id in ${own})::integer as jobs,
			(select count(*) from reelmill.chunks where domain_id = $2)::integer as chunks,
			(select count(*) from reelmill.transcriptions where video_id in ${own})::integer as transcriptions,
			(select count(*) from reelmill.imports where domain_id = $2 and ended_at is null)::integer as imports,
			(select count(*) from reelmill.posters where video_id in ${own} and lock is not null)::integer as posters,
			(select count(*) from reelmill.deletions where not_before is null or not_before <= $1)::integer as deletions,
			(select count(*) from reelmill.publications where video_id in ${own} and copied_at is null)::integer as publications,
			(select count(*) from reelmill.recount())::integer as "wrong counts"`,
	);
}

async function counted({ database }: OpenedEngine, clock: LeapingClock, domainId: string, text: string) {
	const values = [new Date(clock.now()), domainId];
	const [row] = await database.query<Record<string, number>>({ text, values });
	return Object.fromEntries(Object.entries(row ?? {}).filter(([, count]) => count > 0));
}

async function outcomeOf({ database, receiver }: OpenedEngine, domainId: string) {
	const sent = receiver.requests.filter(({ body }) => Buffer.from(body).includes(domainId)).length;
	const [row] = await database.query({
		text: `select
			(select to_jsonb(array[d.processing_count, d.storage_bytes, d.reserved_bytes]) from reelmill.domains d where d.id = $1) as counters,
			(select to_jsonb(array[sum(uploaded_bytes), sum(reserved_bytes), sum(encoded_seconds), sum(uploads), sum(available), sum(failures)]) from reelmill.usage_days where domain_id = $1) as usage,
			(select jsonb_agg(concat_ws(' ', kind, state, visibility, failure_reason, case when deleted_at is not null then 'deleted' end, transcript_status) order by created_at, id) from reelmill.videos where domain_id = $1) as videos,
			(select jsonb_agg(concat_ws(' ', w.type, w.status, w.attempt_count, w.attempts_left) order by w.type, w.created_at) from reelmill.webhook_deliveries w where w.domain_id = $1) as deliveries,
			(select jsonb_agg(concat_ws(' ', status, failure_code, case when status = 'done' then bytes_received end) order by created_at, id) from reelmill.imports where domain_id = $1) as imports,
			(select jsonb_agg(title order by title) from reelmill.video_titles where domain_id = $1) as titles,
			(select jsonb_agg(concat_ws(' ', key, value) order by key, value) from reelmill.video_values where domain_id = $1) as values,
			(select count(*)::integer from reelmill.publications p join reelmill.videos v on v.id = p.video_id where v.domain_id = $1) as publications`,
		values: [domainId],
	});
	return { ...row, sent };
}
