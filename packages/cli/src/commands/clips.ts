import type { Clip } from "@reelmill/node";
import type { Command } from "commander";
import { state, time } from "../cells.ts";
import { allOption, limitOption, pageSizeFor, position, shownAtMost } from "../options.ts";
import type { Io } from "../printing.ts";
import { sessionOf } from "../session.ts";
import type { Columns } from "../table.ts";
import { tellRest } from "./shows-list.ts";

type Options = { title?: string; externalRef?: string; public?: boolean; private?: boolean };

const columns: Columns<Clip> = [
	["ID", ({ video }) => video.id],
	["TITLE", ({ title }) => title ?? ""],
	["STATE", ({ video }) => state(video.state)],
	["FROM", ({ start_seconds }) => start_seconds],
	["TO", ({ end_seconds }) => end_seconds],
	["CREATED", ({ created_at }) => time(created_at)],
];

export function addClips(parent: Command, io: Io): void {
	const clips = parent.command("clips").description("videos that are cut out of available ones");
	clips
		.command("create")
		.description("cut a clip out of a video, without encoding it again")
		.argument("<id>", "the video")
		.argument("<from>", "where it begins: seconds, or 1:02.5", position)
		.argument("<to>", "where it ends", position)
		.option("--title <text>", "what people call it; otherwise it has the video's title")
		.option("--external-ref <text>", "your name for the clip")
		.option("--public", "make the clip public; otherwise it is as the video")
		.option("--private", "make the clip private")
		.action(async (id: string, from: number, to: number, options: Options, command: Command) => {
			const session = sessionOf(io, command);
			const input = {
				...{ start_seconds: from, end_seconds: to },
				...(options.title !== undefined && { title: options.title }),
				...(options.externalRef !== undefined && { external_ref: options.externalRef }),
				...(options.public && { visibility: "public" as const }),
				...(options.private && { visibility: "private" as const }),
			};
			session.print(
				await session.reelmill().clips.create(id, input, { signal: io.signal }),
				({ video }) => `Clip ${video.id} is ${video.state}.`,
			);
		});
	clips
		.command("list")
		.description("list the clips of a video, newest first")
		.argument("<id>", "the video")
		.addOption(limitOption())
		.addOption(allOption())
		.action(async (id: string, options: { limit: number; all?: boolean }, command: Command) => {
			const session = sessionOf(io, command);
			const shown = shownAtMost(options);
			const asked = { pageSize: pageSizeFor(shown), signal: io.signal };
			await tellRest(session, await session.table(session.reelmill().clips.list(id, asked), columns, shown));
		});
}
