import type { Command } from "commander";
import type { CliIo } from "../io.ts";
import { graceOption } from "../options.ts";
import { sessionOf } from "../session.ts";

export function addKeys(parent: Command, io: CliIo): void {
	const keys = parent.command("keys").description("the domain's key");
	keys
		.command("rotate")
		.description("mint a new key, shown this once; the one in use works for an hour more")
		.addOption(graceOption())
		.action(async (options: { graceSeconds?: number }, command: Command) => {
			const session = sessionOf(io, command);
			session.print(await session.reelmill().domain.rotateKey({ ...options, signal: io.signal }));
		});
}
