import { readFile } from "node:fs/promises";
import type { Poster, PutPosterInput } from "@reelmill/node";
import { type Command, Option } from "commander";
import { UsageError } from "../failure.ts";
import { fileToSend, mustFit } from "../file-to-send.ts";
import { position } from "../options.ts";
import type { Io } from "../printing.ts";
import { sessionOf } from "../session.ts";

const mostBytes = 5_000_000;

type PutOptions = { at?: number; preview?: true };

export function addPoster(parent: Command, io: Io): void {
	const poster = parent.command("poster").description("the pictures that stand for available videos");
	poster
		.command("get")
		.description("show where a video's poster comes from")
		.argument("<id>", "the video")
		.action(async (id: string, _options: object, command: Command) => {
			const session = sessionOf(io, command);
			session.print(await session.reelmill().posters.get(id, { signal: io.signal }), said);
		});
	poster
		.command("put")
		.description("choose a video's poster: a frame of it, or a picture of yours")
		.argument("<id>", "the video")
		.argument("[file]", "a JPEG, PNG or WebP file of up to 5 MB")
		.addOption(new Option("--at <moment>", "that of a frame: seconds, or 1:02.5").argParser(position))
		.option("--preview", "make a moving preview of the 3 s from there on as well")
		.action(async (id: string, file: string | undefined, options: PutOptions, command: Command) => {
			const session = sessionOf(io, command);
			const input = await inputOf(file, options);
			session.print(
				await session.reelmill().posters.put(id, input, { signal: io.signal }),
				() => `The poster of video ${id} is being made. Viewers see it within a minute.`,
			);
		});
	poster
		.command("delete")
		.description("go back to the poster that was chosen automatically")
		.argument("<id>", "the video")
		.action(async (id: string, _options: object, command: Command) => {
			const session = sessionOf(io, command);
			await session.reelmill().posters.delete(id, { signal: io.signal });
			session.print({ id, deleted: true }, () => `Video ${id} has the poster that was chosen automatically.`);
		});
}

async function inputOf(file: string | undefined, { at, preview }: PutOptions): Promise<PutPosterInput> {
	if (at !== undefined && file === undefined) return { atSeconds: at, ...(preview && { preview }) };
	if (at !== undefined || file === undefined) throw new UsageError("Give either a file, or --at with a moment.");
	if (preview) throw new UsageError("A moving preview is made of the video: give --at with a moment.");
	const { path, size } = await fileToSend(file);
	mustFit(file, size, mostBytes);
	return { picture: Uint8Array.from(await readFile(path)) };
}

const states = {
	automatic: "It was chosen automatically.",
	pending: "Another one is being made.",
	available: "You chose it.",
	failed: "The one that you chose could not be made.",
} as const;

function said({ state, failure_reason, at_seconds, poster_url, thumbnail_url, preview_url }: Poster): string {
	const reason = failure_reason === "picture_unreadable" ? " The picture can't be read." : "";
	const moment = at_seconds === null ? "" : ` It is the frame at ${at_seconds} s.`;
	const addresses = [poster_url, thumbnail_url, preview_url].filter((url) => url !== null);
	return [`${states[state]}${reason}${moment}`, ...addresses].join("\n");
}
