import type { Command } from "commander";
import type { CliIo } from "../io.ts";
import { sessionOf } from "../session.ts";

export function addUsage(parent: Command, io: CliIo): void {
	parent
		.command("usage")
		.description("show what was used today (UTC), the limits, and what is left")
		.action(async (_options: object, command: Command) => {
			const session = sessionOf(io, command);
			session.print(await session.reelmill().usage.get({ signal: io.signal }));
		});
}

export function addLimits(parent: Command, io: CliIo): void {
	parent
		.command("limits")
		.description("show the largest file and the longest video that may be uploaded")
		.action(async (_options: object, command: Command) => {
			const session = sessionOf(io, command);
			session.print(await session.reelmill().limits.get({ signal: io.signal }));
		});
}
