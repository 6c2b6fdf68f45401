import { type Command, Option } from "commander";
import { state, time } from "../cells.ts";
import { allOption, limitOption, pageSizeFor, shownAtMost } from "../options.ts";
import type { Io } from "../printing.ts";
import { sessionOf } from "../session.ts";
import { showsList, tellRest } from "./shows-list.ts";

type Limits = { limit: number; all?: boolean };

/** Yields the items of every page. Each page is fetched when the iteration reaches it. */
async function* itemsOf<T>(
	fetchPage: (more: { cursor?: string }) => Promise<{ data: readonly T[]; next_cursor: string | null }>,
): AsyncGenerator<T> {
	for (let cursor: string | null | undefined; cursor !== null; ) {
		const page = await fetchPage(cursor === undefined ? {} : { cursor });
		yield* page.data;
		cursor = page.next_cursor;
	}
}

/** Adds what an operator watches: the queue, the jobs in it, the workers, and what failed. */
export function addWork(parent: Command, io: Io): void {
	parent
		.command("queue")
		.description("show how much waits and runs, by domain")
		.action(async (_options: object, command: Command) => {
			const session = sessionOf(io, command);
			session.print(await session.admin().client.call("getQueue", {}, { signal: io.signal }));
		});
	const jobs = parent
		.command("jobs")
		.description("list waiting and running jobs, oldest first")
		.addOption(new Option("--state <state>", "only those in this state").choices(["waiting", "running"]))
		.option("--domain <id>", "only those of this domain");
	showsList(
		jobs,
		io,
		(session, { pageSize, signal }, { state: only, domain }: { state?: "waiting" | "running"; domain?: string }) => {
			const query = { limit: pageSize, ...(only && { state: only }), ...(domain && { domain_id: domain }) };
			const { client } = session.admin();
			return itemsOf((more) => client.call("listJobs", { query: { ...query, ...more } }, { signal }));
		},
		[
			["KIND", ({ kind }) => kind, "if there is room"],
			["VIDEO", ({ video_id }) => video_id],
			["REFERENCE", ({ external_ref }) => external_ref, "if there is room"],
			["DOMAIN", ({ domain_slug, domain_id }) => domain_slug ?? domain_id],
			["STATE", (job) => state(job.state, job.state === "running" ? `running ${job.progress} %` : job.state)],
			["ATTEMPTS", ({ attempt }) => attempt, "if there is room"],
			["WORKER", ({ worker }) => worker],
			["QUEUED", ({ queued_at }) => time(queued_at)],
		],
	);
	const workers = parent
		.command("workers")
		.description("list the workers of the last week, and how many jobs each has")
		.addOption(new Option("--state <state>", "only those that are present, or gone").choices(["present", "gone"]));
	showsList(
		workers,
		io,
		(session, { pageSize, signal }, { state: only }: { state?: "present" | "gone" }) => {
			const query = { limit: pageSize, ...(only && { state: only }) };
			const { client } = session.admin();
			return itemsOf((more) => client.call("listWorkers", { query: { ...query, ...more } }, { signal }));
		},
		[
			["NAME", ({ name }) => name],
			["ADDRESS", ({ address }) => address, "if there is room"],
			["PRESENT", ({ is_present }) => (is_present ? "yes" : "no")],
			["FAULT", ({ fault }) => fault],
			["JOBS", ({ jobs }) => jobs.length],
			["SEEN", ({ seen_at }) => time(seen_at)],
		],
	);
	addFailures(parent, io);
}

/** The reasons are the service's: a newer one has more of them than this program knows. */
type Reason = "retries_exhausted";

function addFailures(parent: Command, io: Io): void {
	parent
		.command("failures")
		.description("list what failed, newest first; with --counts, how often, by reason and day")
		.option("--counts", "count them")
		.option("--from <date>", "the first day (UTC), for example 2026-01-31")
		.option("--to <date>", "the last day")
		.addOption(new Option("--reason <reason>", "only failures of this reason").conflicts("counts"))
		.addOption(new Option("--domain <id>", "only those of this domain").conflicts("counts"))
		.addOption(limitOption())
		.addOption(allOption())
		.action(
			async (
				options: Limits & { counts?: boolean; from?: string; to?: string; reason?: Reason; domain?: string },
				command: Command,
			) => {
				const session = sessionOf(io, command);
				const { client } = session.admin();
				const { counts, from, to, reason, domain } = options;
				const period = { ...(from && { from }), ...(to && { to }) };
				if (counts) {
					const { data } = await client.call("listFailures", { query: period }, { signal: io.signal });
					await session.table(data, [
						["DAY", ({ date }) => date],
						["REASON", (one) => one.reason],
						["FAILURES", ({ count }) => count],
					]);
					return;
				}
				const shown = shownAtMost(options);
				const filter = { ...(reason && { reason }), ...(domain && { domain_id: domain }) };
				const query = { limit: pageSizeFor(shown), ...period, ...filter };
				const failed = itemsOf((more) =>
					client.call("listFailedVideos", { query: { ...query, ...more } }, { signal: io.signal }),
				);
				const printed = await session.table(
					failed,
					[
						["VIDEO", ({ video_id }) => video_id],
						["REFERENCE", ({ external_ref }) => external_ref, "if there is room"],
						["DOMAIN", ({ domain_slug, domain_id }) => domain_slug ?? domain_id],
						["REASON", (one) => one.reason],
						["WORKER", ({ worker }) => worker],
						["FAILED", ({ failed_at }) => time(failed_at)],
						["MESSAGE", ({ message }) => message],
					],
					shown,
				);
				await tellRest(session, printed);
			},
		);
}
