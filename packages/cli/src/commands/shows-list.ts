import type { Command } from "commander";
import { allOption, limitOption, pageSizeFor, shownAtMost } from "../options.ts";
import type { Io } from "../printing.ts";
import { type Session, sessionOf } from "../session.ts";
import type { Columns } from "../table.ts";

/**
 * Lets a command show the items that `listed` asks for, by the command's own options: the first ones, or all. If there
 * are more, it says so, and to people how many by `total`.
 */
export const showsList = <T extends object, Options extends object>(
	command: Command,
	io: Io,
	listed: (
		session: Session,
		asked: { readonly pageSize: number; readonly signal: AbortSignal },
		options: Options,
	) => AsyncIterable<T>,
	columns: Columns<T>,
	total?: (session: Session, options: Options) => Promise<string | undefined>,
): Command =>
	command
		.addOption(limitOption())
		.addOption(allOption())
		.action(async (options: Options & { limit: number; all?: boolean }, command: Command) => {
			const session = sessionOf(io, command);
			const shown = shownAtMost(options);
			const asked = { pageSize: pageSizeFor(shown), signal: io.signal };
			const printed = await session.table(listed(session, asked, options), columns, shown);
			await tellRest(session, printed, async () => await total?.(session, options));
		});

/** Says that a list has more items than it shows, and to people how many, if that can be known. */
export async function tellRest(
	session: Session,
	{ shown, isCut }: Awaited<ReturnType<Session["table"]>>,
	total: () => Promise<string | undefined> = async () => undefined,
): Promise<void> {
	if (!isCut || session.json) return;
	const all = session.io.stdout.isTTY ? await total().catch(() => undefined) : undefined;
	session.note(`${all === undefined ? `The first ${shown}` : `${shown} of ${all}`}; --all shows the rest.`);
}
