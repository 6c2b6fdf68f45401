import type { Command } from "commander";
import { time } from "../cells.ts";
import { graceOption } from "../options.ts";
import type { Io } from "../printing.ts";
import { sessionOf } from "../session.ts";

export function addKeys(parent: Command, io: Io): void {
	const keys = parent.command("keys").description("the domain's keys");
	keys
		.command("rotate")
		.description("create a new key and show it, only here; the one before works for another hour")
		.addOption(graceOption())
		.action(async (options: { graceSeconds?: number }, command: Command) => {
			const session = sessionOf(io, command);
			session.print(await session.reelmill().domain.rotateKey({ ...options, signal: io.signal }));
		});
	keys
		.command("list")
		.description("list the keys that work now, by their last four characters")
		.action(async (_options: object, command: Command) => {
			const session = sessionOf(io, command);
			const { data } = await session.reelmill().domain.listKeys({ signal: io.signal });
			await session.table(data, [
				["ID", ({ id }) => id],
				["KEY", ({ last4 }) => `...${last4}`],
				["CREATED", ({ created_at }) => time(created_at)],
				["ENDS", ({ expires_at }) => time(expires_at)],
			]);
		});
	keys
		.command("end")
		.description("end a key at once that was replaced and still works")
		.argument("<id>")
		.action(async (id: string, _options: object, command: Command) => {
			const session = sessionOf(io, command);
			await session.reelmill().domain.endKey(id, { signal: io.signal });
			session.print({ id, ended: true }, () => `Key ${id} is ended.`);
		});
}
