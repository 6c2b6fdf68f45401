import { join } from "node:path";
import type { UploadInput } from "@reelmill/node";
import { type Command, Option } from "commander";
import { OutcomeError, UsageError } from "../failure.ts";
import { keyName } from "../file-to-send.ts";
import { type Imported, importItem } from "../import/import-item.ts";
import { itemsIn } from "../import/items.ts";
import { workThrough } from "../import/work-through.ts";
import { wholeNumber } from "../options.ts";
import type { Io } from "../printing.ts";
import { userDirectory } from "../profiles.ts";
import { createProgressBar } from "../progress-bar.ts";
import { sessionOf } from "../session.ts";
import { uploadNotes } from "../upload-notes.ts";

type Options = {
	public?: boolean;
	prefix: string;
	uploaderRef?: string;
	parallel: number;
	workDir?: string;
	dryRun?: boolean;
};

export function addImport(parent: Command, io: Io): void {
	parent
		.command("import")
		.description("upload every video of a folder, or of a list of addresses; the same command continues")
		.argument("<from>", "a folder, or a file with an address on each line")
		.option("--public", "make the videos public; otherwise the domain's default decides")
		.option("--prefix <text>", "what each reference begins with", "")
		.addOption(new Option("--parallel <count>", "how many at a time").argParser(wholeNumber(1)).default(2))
		.option("--work-dir <folder>", "where downloads are kept until they are uploaded; otherwise your state directory")
		.option("--dry-run", "only list what would be imported")
		.addHelpText(
			"after",
			`
Each video gets an external_ref: the file's path in the folder, or the address; a line may give another one after a space.
A reference whose video the service has is skipped, so you can repeat the command until nothing is left, also on another machine. Failed, cancelled and expired videos are imported again.
The exit code is 1 if something failed. A used-up quota or a refused key stops the command.
If the service reaches the addresses itself, \`reelmill imports create\` lets it fetch them: nothing has to stay open.`,
		)
		.action(async (from: string, options: Options, command: Command) => {
			const session = sessionOf(io, command);
			const { videos, limits } = session.reelmill();
			const { signal } = io;
			const items = await itemsIn(from, options.prefix);
			if (options.dryRun) {
				for (const item of items) session.stream(item, ({ reference }) => reference);
				return;
			}
			const state = userDirectory(io, "state");
			const directory = options.workDir ?? (state === undefined ? undefined : join(state, "imports"));
			if (directory === undefined && items.some((item) => "url" in item))
				throw new UsageError("Say where downloads may wait, with --work-dir: HOME is not set.");
			const input: UploadInput = options.public ? { visibility: "public" } : {};
			const { max_file_bytes: mostBytes } = await limits.get({ signal });
			const [url, key] = [session.baseUrl(), keyName(session.key())];
			const bar = createProgressBar(session.json ? { write: () => {} } : io.stderr);
			const counts = { imported: 0, there: 0, pending: 0, failed: 0 };
			try {
				await workThrough(items, { atOnce: options.parallel, signal }, async (item, stopped) => {
					const done = await importItem(item, {
						videos,
						input,
						directory: directory ?? "",
						mostBytes,
						signal: stopped,
						notesOf: ({ reference }, size, modified) => uploadNotes(io, { url, key, reference, size, modified }),
					});
					counts[done.outcome]++;
					bar.clear();
					session.stream(done, importedText);
					const all = Object.values(counts).reduce((sum, count) => sum + count);
					bar.percent("Importing", (100 * all) / items.length);
				});
			} finally {
				bar.clear();
				const left = items.length - Object.values(counts).reduce((sum, count) => sum + count);
				session.note(
					`${counts.imported} imported, ${counts.there} there before, ${counts.pending} being uploaded elsewhere, ${counts.failed} failed${left === 0 ? "" : `, ${left} left: the same command continues`}.`,
				);
			}
			if (counts.failed > 0) throw new OutcomeError("not_all_imported", `${counts.failed} of ${items.length} failed.`);
		});
}

const importedText = ({ reference, outcome, video_id, message }: Imported): string =>
	[outcome.padEnd(8), video_id ?? "-".padEnd(36), reference, ...(message === null ? [] : [message])].join("  ");
