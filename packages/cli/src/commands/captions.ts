import type { Captions } from "@reelmill/node";
import { type Command, Option } from "commander";
import { fileToSend, mustFit } from "../file-to-send.ts";
import type { Io } from "../printing.ts";
import { readText } from "../read-text.ts";
import { sessionOf } from "../session.ts";
import type { Columns } from "../table.ts";

const columns: Columns<Captions> = [
	["LANGUAGE", ({ language }) => language],
	["LABEL", ({ label }) => label],
	["KIND", ({ kind, forced }) => (forced ? `${kind}, forced` : kind)],
	["FROM", ({ source }) => ({ file: "the file", transcript: "the transcriber", upload: "you" })[source]],
	["TRANSCRIPT", ({ transcript }) => (transcript ? "yes" : "")],
];

const mostBytes = 1_048_576;

type PutOptions = { label?: string; kind?: "captions" | "subtitles" };

export function addCaptions(parent: Command, io: Io): void {
	const captions = parent.command("captions").description("captions and subtitles of available videos");
	captions
		.command("list")
		.description("list a video's captions")
		.argument("<id>", "the video")
		.action(async (id: string, _options: object, command: Command) => {
			const session = sessionOf(io, command);
			await session.table(await session.reelmill().captions.list(id, { signal: io.signal }), columns);
		});
	captions
		.command("put")
		.description("give a video captions, or correct those in this language; the transcript, too")
		.argument("<id>", "the video")
		.argument("<language>", "for example de or pt-BR; und if it isn't known")
		.argument("<file>", "a WebVTT or SubRip file in UTF-8")
		.option("--label <text>", "what viewers choose them by")
		.addOption(new Option("--kind <kind>", "what they are").choices(["captions", "subtitles"]))
		.action(async (id: string, language: string, file: string, options: PutOptions, command: Command) => {
			const session = sessionOf(io, command);
			const { path, size } = await fileToSend(file);
			mustFit(file, size, mostBytes);
			const text = await readText(path);
			session.print(
				await session.reelmill().captions.put(id, language, { text, ...options }, { signal: io.signal }),
				({ label }) => `Video ${id} has the captions ${label}. Players offer them within a minute.`,
			);
		});
	captions
		.command("get")
		.description("print captions as WebVTT")
		.argument("<id>", "the video")
		.argument("<language>")
		.action(async (id: string, language: string, _options: object, command: Command) => {
			const session = sessionOf(io, command);
			const text = await session.reelmill().captions.get(id, language, { signal: io.signal });
			session.print({ language, text }, () => text.trimEnd());
		});
	captions
		.command("delete")
		.description("take captions in a language away")
		.argument("<id>", "the video")
		.argument("<language>")
		.action(async (id: string, language: string, _options: object, command: Command) => {
			const session = sessionOf(io, command);
			await session.reelmill().captions.delete(id, language, { signal: io.signal });
			session.print({ id, language, deleted: true }, () => `The captions of video ${id} in ${language} are gone.`);
		});
}
