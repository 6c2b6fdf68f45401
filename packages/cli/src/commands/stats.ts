import type { Command } from "commander";
import type { Io } from "../printing.ts";
import { sessionOf } from "../session.ts";

export function addStats(parent: Command, io: Io): void {
	parent
		.command("stats")
		.description("show what the instance holds and does, over all domains")
		.action(async (_options: object, command: Command) => {
			const session = sessionOf(io, command);
			session.print(await session.admin().stats.get({ signal: io.signal }));
		});
}
