import type { Domain } from "@reelmill/node";
import { type Command, Option } from "commander";
import { time } from "../cells.ts";
import { UsageError } from "../failure.ts";
import { graceOption, wholeNumber } from "../options.ts";
import type { Io } from "../printing.ts";
import { sessionOf } from "../session.ts";
import type { Columns } from "../table.ts";
import { bytes } from "../text.ts";
import { showsList } from "./shows-list.ts";

const columns: Columns<Domain> = [
	["ID", ({ id }) => id],
	["SLUG", ({ slug }) => slug],
	["KEY", ({ key_last4 }) => `...${key_last4}`],
	["UPLOADS A DAY", ({ limits }) => bytes(limits.daily_upload_bytes)],
	["STORAGE", ({ limits }) => bytes(limits.storage_bytes_limit)],
	["CREATED", ({ created_at }) => time(created_at)],
];

type LimitOptions = { dailyUploadBytes?: number; storageBytes?: number; concurrentProcessing?: number };

export function addDomains(parent: Command, io: Io): void {
	const domains = parent.command("domains").description("the tenants");
	showsList(
		domains.command("list").description("list the domains, newest first"),
		io,
		(session, asked) => session.admin().domains.list(asked),
		columns,
	);
	withLimits(
		domains.command("create").description("create a domain; its key is shown this once").argument("<slug>"),
	).action(async (slug: string, options: LimitOptions, command: Command) => {
		const session = sessionOf(io, command);
		session.print(await session.admin().domains.create({ slug, ...limitsOf(options) }, { signal: io.signal }));
	});
	domains
		.command("show")
		.description("show a domain")
		.argument("<id>")
		.action(async (id: string, _options: object, command: Command) => {
			const session = sessionOf(io, command);
			session.print(await session.admin().domains.get(id, { signal: io.signal }));
		});
	withLimits(
		domains
			.command("update")
			.description("change a domain's slug or limits")
			.argument("<id>")
			.option("--slug <slug>", "its new slug"),
	).action(async (id: string, { slug, ...options }: LimitOptions & { slug?: string }, command: Command) => {
		const changes = { ...(slug === undefined ? {} : { slug }), ...limitsOf(options) };
		if (Object.keys(changes).length === 0) throw new UsageError("Say what is to change: --slug, or one of the limits.");
		const session = sessionOf(io, command);
		session.print(await session.admin().domains.update(id, changes, { signal: io.signal }));
	});
	domains
		.command("delete")
		.description("delete a domain, its keys and all its videos")
		.argument("<id>")
		.option("--yes", "yes, for good: nothing of it can be brought back")
		.action(async (id: string, { yes }: { yes?: boolean }, command: Command) => {
			if (!yes)
				throw new UsageError("This deletes the domain's keys and all its videos, for good. If you mean it, add --yes.");
			const session = sessionOf(io, command);
			await session.admin().domains.delete(id, { signal: io.signal });
			session.print({ id, deleted: true }, () => `Domain ${id} is deleted.`);
		});
	domains
		.command("rotate-key")
		.description("create a new key for a domain and show it, only here; the one before works for another hour")
		.argument("<id>")
		.addOption(graceOption())
		.action(async (id: string, options: { graceSeconds?: number }, command: Command) => {
			const session = sessionOf(io, command);
			session.print(await session.admin().domains.rotateKey(id, { ...options, signal: io.signal }));
		});
	domains
		.command("transcripts")
		.description("make the transcripts that are missing; this needs a transcoder with a model")
		.argument("<id>")
		.action(async (id: string, _options: object, command: Command) => {
			const session = sessionOf(io, command);
			const asked = await session.admin().domains.requestTranscripts(id, { signal: io.signal });
			session.print(asked, ({ requested }) =>
				requested === 0
					? "No transcript of this domain is unavailable."
					: `Transcripts of ${requested} videos will be made.`,
			);
		});
}

const withLimits = (command: Command): Command =>
	command
		.addOption(
			new Option("--daily-upload-bytes <bytes>", "most bytes uploaded in one UTC day").argParser(wholeNumber(0)),
		)
		.addOption(new Option("--storage-bytes <bytes>", "most bytes stored").argParser(wholeNumber(0)))
		.addOption(
			new Option("--concurrent-processing <count>", "most videos processed at once").argParser(wholeNumber(1)),
		);

function limitsOf({ dailyUploadBytes, storageBytes, concurrentProcessing }: LimitOptions) {
	const limits = {
		...(dailyUploadBytes === undefined ? {} : { daily_upload_bytes: dailyUploadBytes }),
		...(storageBytes === undefined ? {} : { storage_bytes_limit: storageBytes }),
		...(concurrentProcessing === undefined ? {} : { max_concurrent_processing: concurrentProcessing }),
	};
	return Object.keys(limits).length === 0 ? {} : { limits };
}
