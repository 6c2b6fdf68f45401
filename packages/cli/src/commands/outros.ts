import type { Outro } from "@reelmill/node";
import type { Command } from "commander";
import { state, time } from "../cells.ts";
import { OutcomeError } from "../failure.ts";
import { fileToSend } from "../file-to-send.ts";
import type { Io } from "../printing.ts";
import { createProgressBar } from "../progress-bar.ts";
import { withoutType } from "../send-file.ts";
import { sessionOf } from "../session.ts";
import type { Columns } from "../table.ts";
import { bytes } from "../text.ts";

const columns: Columns<Outro> = [
	["SLUG", ({ slug }) => slug],
	["STATE", (outro) => state(outro.state, stateText(outro))],
	["LABEL", ({ label }) => label],
	["SIZE", ({ file_size }) => bytes(file_size)],
	["CREATED", ({ created_at }) => time(created_at)],
];

type UploadOptions = { label?: string; contentType?: string; wait?: boolean };

export function addOutros(parent: Command, io: Io): void {
	const outros = parent.command("outros").description("tail cards that are appended to web.mp4");
	outros
		.command("list")
		.description("list the outros, newest first")
		.action(async (_options: object, command: Command) => {
			const session = sessionOf(io, command);
			await session.table(await session.reelmill().outros.list({ signal: io.signal }), columns);
		});
	outros
		.command("show")
		.description("show an outro")
		.argument("<slug>")
		.action(async (slug: string, _options: object, command: Command) => {
			const session = sessionOf(io, command);
			session.print(await session.reelmill().outros.get(slug, { signal: io.signal }));
		});
	outros
		.command("upload")
		.description("upload an outro; one of the same slug is replaced as soon as the new one is available")
		.argument("<slug>", "its name: small letters, digits, - and _")
		.argument("<file>")
		.option("--label <text>", "a name for people; viewers never see it")
		.option("--content-type <type>", "if the file's ending does not tell it, for example video/mp4")
		.option("--wait", "wait until the outro is available; exit code 1 if it fails")
		.action(async (slug: string, file: string, { label, contentType, wait }: UploadOptions, command: Command) => {
			const session = sessionOf(io, command);
			const { signal } = io;
			const service = session.reelmill();
			await fileToSend(file);
			const bar = createProgressBar(session.json ? { write: () => {} } : io.stderr);
			const input = {
				slug,
				...(label === undefined ? {} : { label }),
				...(contentType === undefined ? {} : { content_type: contentType }),
			};
			try {
				const sent = service.outros.upload(file, input, {
					signal,
					onProgress: ({ bytesSent, bytesTotal }) => bar.bytes(bytesSent, bytesTotal),
				});
				const uploaded = await sent.catch((error: unknown) => {
					throw error instanceof TypeError ? withoutType(file) : error;
				});
				bar.clear();
				const outro = wait ? await service.outros.wait(slug, { signal, intervalSeconds: 2 }) : uploaded;
				session.print(outro, (one) => `${one.slug}  ${stateText(one)}`);
				if (outro.state === "failed")
					throw new OutcomeError("failed", `Outro ${slug} did not become available: ${outro.failure_reason}.`);
			} finally {
				bar.clear();
			}
		});
	outros
		.command("delete")
		.description("delete an outro and free its slug; videos that are still to get it go without")
		.argument("<slug>")
		.action(async (slug: string, _options: object, command: Command) => {
			const session = sessionOf(io, command);
			await session.reelmill().outros.delete(slug, { signal: io.signal });
			session.print({ slug, deleted: true }, () => `Outro ${slug} is deleted.`);
		});
}

function stateText({ state, failure_reason, id, serving_outro_id }: Outro): string {
	const told = failure_reason === null ? state : `${state} (${failure_reason})`;
	return serving_outro_id === null || serving_outro_id === id ? told : `${told}, the one before serves`;
}
