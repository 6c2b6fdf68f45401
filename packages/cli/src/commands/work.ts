import { type Command, Option } from "commander";
import type { CliIo } from "../io.ts";
import { allOption, limitOption, pageSizeFor, shownAtMost } from "../options.ts";
import { sessionOf } from "../session.ts";
import { showsList } from "./shows-list.ts";

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
export function addWork(parent: Command, io: CliIo): void {
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
		(session, { pageSize, signal }, { state, domain }: { state?: "waiting" | "running"; domain?: string }) => {
			const query = { limit: pageSize, ...(state && { state }), ...(domain && { domain_id: domain }) };
			const { client } = session.admin();
			return itemsOf((more) => client.call("listJobs", { query: { ...query, ...more } }, { signal }));
		},
		[
			["KIND", ({ kind }) => kind],
			["VIDEO", ({ video_id }) => video_id],
			["DOMAIN", ({ domain_slug, domain_id }) => domain_slug ?? domain_id],
			["STATE", ({ state, progress }) => (state === "running" ? `running ${progress} %` : state)],
			["ATTEMPTS", ({ attempt }) => attempt],
			["WORKER", ({ worker }) => worker],
			["QUEUED", ({ queued_at }) => queued_at],
		],
	);
	const workers = parent
		.command("workers")
		.description("list the workers of the last week, and how many jobs each has")
		.addOption(new Option("--state <state>", "only those that are present, or gone").choices(["present", "gone"]));
	showsList(
		workers,
		io,
		(session, { pageSize, signal }, { state }: { state?: "present" | "gone" }) => {
			const query = { limit: pageSize, ...(state && { state }) };
			const { client } = session.admin();
			return itemsOf((more) => client.call("listWorkers", { query: { ...query, ...more } }, { signal }));
		},
		[
			["NAME", ({ name }) => name],
			["ADDRESS", ({ address }) => address],
			["PRESENT", ({ is_present }) => (is_present ? "yes" : "no")],
			["FAULT", ({ fault }) => fault],
			["JOBS", ({ jobs }) => jobs.length],
			["SEEN", ({ seen_at }) => seen_at],
		],
	);
	addFailures(parent, io);
}

/** The reasons are the service's: a newer one has more of them than this program knows. */
type Reason = "retries_exhausted";

function addFailures(parent: Command, io: CliIo): void {
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
					return session.table(
						data,
						[
							["DAY", ({ date }) => date],
							["REASON", (one) => one.reason],
							["FAILURES", ({ count }) => count],
						],
						Number.POSITIVE_INFINITY,
					);
				}
				const shown = shownAtMost(options);
				const filter = { ...(reason && { reason }), ...(domain && { domain_id: domain }) };
				const query = { limit: pageSizeFor(shown), ...period, ...filter };
				const failed = itemsOf((more) =>
					client.call("listFailedVideos", { query: { ...query, ...more } }, { signal: io.signal }),
				);
				await session.table(
					failed,
					[
						["VIDEO", ({ video_id }) => video_id],
						["DOMAIN", ({ domain_slug, domain_id }) => domain_slug ?? domain_id],
						["REASON", (one) => one.reason],
						["WORKER", ({ worker }) => worker],
						["FAILED", ({ failed_at }) => failed_at],
						["MESSAGE", ({ message }) => message],
					],
					shown,
				);
			},
		);
}
