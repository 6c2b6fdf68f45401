import type { Chapter } from "@reelmill/node";
import type { Command } from "commander";
import { UsageError } from "../failure.ts";
import { position } from "../options.ts";
import type { Io } from "../printing.ts";
import { sessionOf } from "../session.ts";

export function addChapters(parent: Command, io: Io): void {
	const chapters = parent.command("chapters").description("chapters of available videos");
	chapters
		.command("get")
		.description("show a video's chapters")
		.argument("<id>", "the video")
		.action(async (id: string, _options: object, command: Command) => {
			const session = sessionOf(io, command);
			const { chapters: found } = await session.reelmill().chapters.get(id, { signal: io.signal });
			await session.table(found, [
				["START", ({ start_seconds }) => start_seconds],
				["TITLE", ({ title }) => title],
			]);
		});
	chapters
		.command("put")
		.description("name a video's chapters, in place of all that it has")
		.argument("<id>", "the video")
		.argument("<chapter...>", "the moment at which it begins and its title, such as 0=Beginning 1:02.5=End")
		.action(async (id: string, given: string[], _options: object, command: Command) => {
			const session = sessionOf(io, command);
			session.print(
				await session.reelmill().chapters.put(id, given.map(chapterOf), { signal: io.signal }),
				({ chapters: named }) => `Video ${id} has ${named.length} chapters.`,
			);
		});
	chapters
		.command("delete")
		.description("take a video's chapters away")
		.argument("<id>", "the video")
		.action(async (id: string, _options: object, command: Command) => {
			const session = sessionOf(io, command);
			await session.reelmill().chapters.delete(id, { signal: io.signal });
			session.print({ id, deleted: true }, () => `The chapters of video ${id} are gone.`);
		});
}

function chapterOf(text: string): Chapter {
	const [, start, title] = /^([\d:.]+)=(.*)$/s.exec(text) ?? [];
	if (start === undefined || title === undefined)
		throw new UsageError(`${JSON.stringify(text)} is no chapter: write 1:02.5=Title.`);
	return { start_seconds: position(start), title };
}
