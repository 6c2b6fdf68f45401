import type { UpdateMetadata, VideoMetadata } from "@reelmill/node";
import { type Command, Option } from "commander";
import { keyAndValue } from "../options.ts";
import type { Io } from "../printing.ts";
import { sessionOf } from "../session.ts";

type Pair = ReturnType<typeof keyAndValue>;

/** Adds the commands that name videos to `videos`. */
export function addVideoMetadata(videos: Command, io: Io): void {
	/** Shows what the video has; if there is a change, makes it first. */
	const show = async (
		id: string,
		change: ((now: VideoMetadata) => UpdateMetadata) | null,
		command: Command,
		text?: (metadata: VideoMetadata) => string,
	) => {
		const session = sessionOf(io, command);
		const { signal } = io;
		const { videos: named } = session.reelmill();
		const now = await named.metadata(id, { signal });
		session.print(change === null ? now : await named.setMetadata(id, change(now), { signal }), text);
	};
	videos
		.command("title")
		.description("show what a video is called, or call it otherwise")
		.argument("<id>")
		.argument("[title]", "what people are to call it, at most 200 characters")
		.addOption(new Option("--none", "take its title away").conflicts("title"))
		.action(async (id: string, title: string | undefined, { none }: { none?: true }, command: Command) =>
			show(
				id,
				title === undefined && none === undefined ? null : ({ values }) => ({ title: title ?? null, values }),
				command,
				(metadata) => metadata.title ?? `Video ${id} has no title.`,
			),
		);
	videos
		.command("metadata")
		.description("show a video's title and values, or set some of its values")
		.argument("<id>")
		.argument("[values...]", "values as key=value; the video's other values stay", (text, others: Pair[] = []) => [
			...others,
			keyAndValue(text),
		])
		.addOption(
			new Option("--remove <key>", "take this value away; may be given more than once")
				.argParser((key: string, others: string[]) => [...others, key])
				.default([], "none"),
		)
		.action(async (id: string, pairs: Pair[] = [], { remove }: { remove: string[] }, command: Command) =>
			show(
				id,
				pairs.length === 0 && remove.length === 0
					? null
					: ({ title, values }) => ({
							title,
							values: Object.fromEntries(
								[...Object.entries(values), ...pairs.map(({ key, value }) => [key, value] as const)].filter(
									([key]) => !remove.includes(key),
								),
							),
						}),
				command,
			),
		);
}
