import { createHash } from "node:crypto";
import type { Import, ImportStatus, Reelmill } from "@reelmill/node";
import { type Command, Option } from "commander";
import { state, time } from "../cells.ts";
import { OutcomeError, UsageError } from "../failure.ts";
import { pause, whenThereIsRoom } from "../import/when-there-is-room.ts";
import { wholeNumber } from "../options.ts";
import type { Io } from "../printing.ts";
import { createProgressBar } from "../progress-bar.ts";
import { readText } from "../read-text.ts";
import { sessionOf } from "../session.ts";
import type { Columns } from "../table.ts";
import { bytes } from "../text.ts";
import { showsList } from "./shows-list.ts";

type Asked = Parameters<Reelmill["imports"]["create"]>[0];
type Options = {
	list?: string;
	public?: boolean;
	externalRef?: string;
	uploaderRef?: string;
	title?: string;
	contentType?: string;
	size?: number;
	follow?: boolean;
};

const statuses = ["waiting", "downloading", "done", "failed", "cancelled"] as const satisfies readonly ImportStatus[];
const columns: Columns<Import> = [
	["ID", ({ id }) => id],
	["STATUS", ({ status }) => state(status)],
	["RECEIVED", (one) => receivedText(one)],
	["TITLE", ({ title }) => title ?? null, "if there is room"],
	["ADDRESS", ({ url }) => url, "if there is room"],
	["VIDEO", ({ video_id }) => video_id, "if there is room"],
	["CREATED", ({ created_at }) => time(created_at)],
];
const lookMilliseconds = 1000;

export function addImports(parent: Command, io: Io): void {
	const imports = parent.command("imports").description("videos that the service itself fetches from addresses");
	imports
		.command("create")
		.description("have the service fetch a video from an address, or many from a list")
		.argument("[url]", "where the file is, by http or https; the service must reach it")
		.option("--list <file>", "a file of lines of JSON, each as POST /v1/imports takes it: url, external_ref and more")
		.option("--public", "make the video public; otherwise the domain's default decides")
		.option("--external-ref <text>", "your name for the video")
		.option("--uploader-ref <text>", "your name for the person whose upload it is")
		.option("--title <text>", "what people are to call the video, at most 200 characters")
		.option("--content-type <type>", "if neither the origin nor the file tells it, for example video/mp4")
		.addOption(new Option("--size <bytes>", "if the origin doesn't tell it").argParser(wholeNumber(1)))
		.option("--follow", "wait until the file is here; exit code 1 if the import fails")
		.addHelpText(
			"after",
			`
The command ends once the import is noted; \`reelmill imports show\` tells how far it is.
A list can be given again within a day: each of its lines is imported once.
If only this machine reaches the files, use \`reelmill import\`: it downloads and uploads them itself.`,
		)
		.action(async (url: string | undefined, options: Options, command: Command) => {
			const session = sessionOf(io, command);
			const service = session.reelmill().imports;
			const { signal } = io;
			if ((url === undefined) === (options.list === undefined))
				throw new UsageError("Give one address, or a file of many with --list.");
			const asked = url === undefined ? await linesOf(options.list ?? "") : [askedOf(url, options)];
			const bar = createProgressBar(session.json ? { write: () => {} } : io.stderr);
			const created: Import[] = [];
			for (const each of asked) {
				const one = await whenThereIsRoom(() => service.create(each.input, { signal, ...each.call }), signal);
				created.push(one);
				if (options.list !== undefined && !options.follow) session.stream(one, lineText);
			}
			try {
				let failed = 0;
				for (const one of created) {
					const now = options.follow ? await followed(service, one, { bar, signal }) : one;
					bar.clear();
					if (options.list === undefined) session.print(now, options.follow ? lineText : undefined);
					else if (options.follow) session.stream(now, lineText);
					if (options.follow && now.status !== "done") failed++;
				}
				if (failed > 0) throw new OutcomeError("not_all_imported", `${failed} of ${created.length} did not come.`);
			} finally {
				bar.clear();
			}
		});
	const list = imports
		.command("list")
		.description("list the imports, newest first")
		.addOption(new Option("--status <status>", "only those of this status").choices(statuses));
	showsList(
		list,
		io,
		(session, asked, { status }: { status?: ImportStatus }) =>
			session.reelmill().imports.list({ ...asked, ...(status && { status }) }),
		columns,
	);
	imports
		.command("show")
		.alias("get")
		.description("show how far an import is")
		.argument("<id>")
		.action(async (id: string, _options: object, command: Command) => {
			const session = sessionOf(io, command);
			session.print(await session.reelmill().imports.get(id, { signal: io.signal }));
		});
	imports
		.command("cancel")
		.description("end an import, and cancel the video that waits for it")
		.argument("<id>")
		.action(async (id: string, _options: object, command: Command) => {
			const session = sessionOf(io, command);
			await session.reelmill().imports.cancel(id, { signal: io.signal });
			session.print({ id, cancelled: true }, () => `Import ${id} has ended.`);
		});
}

type AskedLine = { readonly input: Asked; readonly call: { idempotencyKey?: string } };

const askedOf = (url: string, options: Options): AskedLine => ({
	call: {},
	input: {
		url,
		...(options.public && { visibility: "public" }),
		...(options.externalRef !== undefined && { external_ref: options.externalRef }),
		...(options.uploaderRef !== undefined && { uploader_ref: options.uploaderRef }),
		...(options.title !== undefined && { title: options.title }),
		...(options.contentType !== undefined && { content_type: options.contentType }),
		...(options.size !== undefined && { file_size: options.size }),
	},
});

/** Reads a list. Each line has a key of its own, so that the same list again creates nothing twice. */
async function linesOf(path: string): Promise<AskedLine[]> {
	const text = await readText(path);
	return text.split(/\r?\n/).flatMap((line, index) => {
		if (line.trim() === "") return [];
		const input = parsed(line);
		if (typeof input?.url !== "string")
			throw new UsageError(
				`Line ${index + 1} of ${path} is no JSON with a url, such as {"url":"https://files.example.com/a.mp4"}.`,
			);
		return [{ input, call: { idempotencyKey: createHash("sha256").update(line.trim()).digest("hex") } }];
	});
}
function parsed(line: string): Asked | null {
	try {
		return JSON.parse(line) as Asked | null;
	} catch {
		return null;
	}
}

async function followed(
	service: Reelmill["imports"],
	created: Import,
	{ bar, signal }: { bar: ReturnType<typeof createProgressBar>; signal: AbortSignal },
): Promise<Import> {
	let now = created;
	while (now.status === "waiting" || now.status === "downloading") {
		await pause(lookMilliseconds, signal);
		now = await service.get(created.id, { signal });
		if (now.file_size !== null) bar.percent("Importing", (100 * now.bytes_received) / now.file_size);
	}
	return now;
}

const receivedText = ({ bytes_received: received, file_size: size }: Import): string =>
	size === null ? "-" : `${bytes(received)} of ${bytes(size)}`;
const lineText = ({ id, status, video_id, url, failure }: Import): string =>
	[status.padEnd(11), id, video_id ?? "-".padEnd(36), url, ...(failure === null ? [] : [failure.message])].join("  ");
