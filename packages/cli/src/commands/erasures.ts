import type { Command } from "commander";
import { UsageError } from "../failure.ts";
import type { Io } from "../printing.ts";
import { sessionOf } from "../session.ts";

export function addErasures(parent: Command, io: Io): void {
	const erasures = parent.command("erasures").description("erase people: their videos and their names");
	erasures
		.command("create")
		.description("delete a person's videos, and forget the name where a video stays")
		.argument("<uploader>", "your id for the person (uploader_ref)")
		.option("--yes", "yes, for good: nothing of it can be brought back")
		.action(async (uploader: string, { yes }: { yes?: boolean }, command: Command) => {
			if (!yes) throw new UsageError("This deletes all videos of this uploader, for good. If you mean it, add --yes.");
			const session = sessionOf(io, command);
			session.print(await session.reelmill().erasures.create(uploader, { signal: io.signal }));
		});
}
