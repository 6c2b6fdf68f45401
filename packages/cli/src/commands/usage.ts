import type { Command } from "commander";
import type { Io } from "../printing.ts";
import { sessionOf } from "../session.ts";

export function addUsage(parent: Command, io: Io): void {
	parent
		.command("usage")
		.description("show what was used today (UTC), the limits, and what is left")
		.option("--days", "show each of the last 30 days in place of today")
		.option("--from <date>", "the first day, for example 2026-01-31")
		.option("--to <date>", "the last day")
		.action(async ({ days, ...period }: { days?: boolean; from?: string; to?: string }, command: Command) => {
			const session = sessionOf(io, command);
			const { usage } = session.reelmill();
			if (!days && Object.keys(period).length === 0) return session.print(await usage.get({ signal: io.signal }));
			session.print(await usage.days({ ...period, signal: io.signal }));
		});
}

export function addLimits(parent: Command, io: Io): void {
	parent
		.command("limits")
		.description("show the largest file and the longest video that may be uploaded")
		.action(async (_options: object, command: Command) => {
			const session = sessionOf(io, command);
			session.print(await session.reelmill().limits.get({ signal: io.signal }));
		});
}
