import type { Command } from "commander";
import type { CliIo } from "../io.ts";
import { allOption, limitOption, pageSizeFor, shownAtMost } from "../options.ts";
import { type Session, sessionOf } from "../session.ts";
import type { Columns } from "../text.ts";

/** Lets a command show the items that `listed` asks for, by the command's own options: the first ones, or all. */
export const showsList = <T extends object, Options extends object>(
	command: Command,
	io: CliIo,
	listed: (
		session: Session,
		asked: { readonly pageSize: number; readonly signal: AbortSignal },
		options: Options,
	) => AsyncIterable<T>,
	columns: Columns<T>,
): Command =>
	command
		.addOption(limitOption())
		.addOption(allOption())
		.action(async (options: Options & { limit: number; all?: boolean }, command: Command) => {
			const session = sessionOf(io, command);
			const shown = shownAtMost(options);
			const asked = { pageSize: pageSizeFor(shown), signal: io.signal };
			await session.table(listed(session, asked, options), columns, shown);
		});
