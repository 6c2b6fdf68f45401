import { dirname, resolve } from "node:path";
import type { LimitsView } from "@reelmill/node";
import { type Command, Option } from "commander";
import { OutcomeError, UsageError } from "../failure.ts";
import { workThrough } from "../import/work-through.ts";
import { type FormatName, formatNames } from "../move/formats.ts";
import { knownVideos } from "../move/known-videos.ts";
import type { ListedVideo } from "../move/listed-video.ts";
import { type Moved, moveVideo } from "../move/move-video.ts";
import { readList } from "../move/read-list.ts";
import { wholeNumber } from "../options.ts";
import type { Io } from "../printing.ts";
import { createProgressBar } from "../progress-bar.ts";
import { sessionOf } from "../session.ts";
import { bytes, duration } from "../text.ts";

type Options = {
	from: string;
	format?: FormatName;
	origin?: string;
	visibility?: "private" | "public";
	atOnce: number;
	dryRun?: boolean;
};

/** One video is looked at this often, and all of them together once a second. */
const lookMilliseconds = (atOnce: number): number => Math.max(3000, 1000 * atOnce);

export function addMove(parent: Command, io: Io): void {
	parent
		.command("move")
		.description("move the videos of another system here, by its list: with names and captions; run again, it goes on")
		.requiredOption("--from <file>", "the list: what the system's API answered, or a CSV or JSON lines of your own")
		.addOption(new Option("--format <name>", "whose list it is; otherwise it tells by itself").choices(formatNames))
		.addOption(
			new Option("--origin <address>", "where the files are, if the list doesn't say it (Bunny)").argParser(address),
		)
		.addOption(
			new Option("--visibility <visibility>", "of all videos; otherwise as the list or the domain says").choices([
				"private",
				"public",
			]),
		)
		.addOption(new Option("--at-once <count>", "how many at a time").argParser(wholeNumber(1)).default(8))
		.option("--dry-run", "only tell what would be moved, and what can't be and why")
		.addHelpText(
			"after",
			`
The service fetches each video from its address; captions come by this machine. Each video gets the other system's id as its external_ref, by which it is known again: what is here isn't moved twice. Failed and cancelled videos are moved again.
A list with a wrong line is refused as a whole, before anything is moved. The exit code is 1 if a video failed.
How to make the lists: docs/guides/moving.md.`,
		)
		.action(async (options: Options, command: Command) => {
			const session = sessionOf(io, command);
			const { signal } = io;
			const { from, format, origin, visibility, atOnce } = options;
			const list = await readList(from, { format, origin, visibility });
			const service = session.reelmill();
			const limits = await service.limits.get({ signal });
			const videos = list.videos.map((video) => within(limits, video));
			const cannot = videos.filter(({ input }) => "cannot" in input);
			if (options.dryRun) {
				for (const video of videos) session.stream(planned(video), plannedText);
				session.note(
					`A list of ${list.format}: ${videos.length - cannot.length} videos would be moved, ${cannot.length} can't be. Nothing was begun.`,
				);
				return;
			}
			const known = await knownVideos(service, new Set(videos.map(({ reference }) => reference)), signal);
			const bar = createProgressBar(session.json ? { write: () => {} } : io.stderr);
			const counts = { moved: 0, there: 0, failed: 0 };
			let captions = 0;
			try {
				await workThrough(videos, { atOnce, signal }, async (video, stopped) => {
					const done = await moveVideo(video, {
						service,
						known,
						folder: dirname(resolve(from)),
						lookMilliseconds: lookMilliseconds(atOnce),
						signal: stopped,
						onWaiting: ({ reference }, { failure, next_attempt_at: at }) => {
							bar.clear();
							session.note(`${reference} waits until ${at ?? "there is room"}: ${failure?.message}`);
						},
					});
					counts[done.outcome]++;
					captions += done.captions.length;
					bar.clear();
					session.stream(done, movedText);
					bar.percent("Moving", (100 * (counts.moved + counts.there + counts.failed)) / videos.length);
				});
			} finally {
				bar.clear();
				const left = videos.length - counts.moved - counts.there - counts.failed;
				const report = { report: { format: list.format, videos: videos.length, ...counts, left, captions } };
				if (session.json) session.stream(report, () => "");
				session.note(
					`${counts.moved} moved, with ${captions} captions; ${counts.there} there before, ${counts.failed} failed${left === 0 ? "" : `, ${left} left: the same command goes on`}.`,
				);
			}
			if (counts.failed > 0) throw new OutcomeError("not_all_moved", `${counts.failed} of ${videos.length} failed.`);
		});
}

function address(text: string): string {
	const trimmed = text.endsWith("/") ? text.slice(0, -1) : text;
	if (!URL.canParse(trimmed) || !/^https?:$/.test(new URL(trimmed).protocol))
		throw new UsageError(`${JSON.stringify(text)} is no address such as https://vz-1234.b-cdn.net.`);
	return trimmed;
}

/** Says of a video that the domain would refuse, by what the list says of it, that it can't be moved. */
function within({ max_duration_seconds: seconds, max_file_bytes: most }: LimitsView, video: ListedVideo): ListedVideo {
	if ("cannot" in video.input) return video;
	const { duration_seconds: lasts = 0, file_size: size = 0 } = video.input;
	if (lasts > seconds)
		return { ...video, input: { cannot: `It lasts ${duration(lasts)}, and ${duration(seconds)} are allowed.` } };
	if (size > most) return { ...video, input: { cannot: `It has ${bytes(size)}, and ${bytes(most)} are allowed.` } };
	return video;
}

type Planned = Pick<ListedVideo, "reference" | "place" | "notes"> & {
	readonly title: string | null;
	readonly outcome: "move" | "cannot";
	readonly captions: readonly string[];
	readonly message: string | null;
};

const planned = ({ reference, place, title, input, captions, notes }: ListedVideo): Planned => ({
	reference,
	place,
	title: title ?? null,
	outcome: "cannot" in input ? "cannot" : "move",
	captions: captions.map(({ language }) => language),
	message: "cannot" in input ? input.cannot : null,
	notes,
});

const plannedText = ({ reference, outcome, title, captions, message, notes }: Planned): string =>
	[
		outcome.padEnd(6),
		reference,
		...(title === null ? [] : [title]),
		...(captions.length === 0 ? [] : [`captions: ${captions.join(", ")}`]),
		...(message === null ? [] : [message]),
		...notes,
	].join("  ");

const movedText = ({ reference, outcome, video_id, title, captions, message, advice, notes }: Moved): string =>
	[
		outcome.padEnd(6),
		video_id ?? "-".padEnd(36),
		reference,
		...(title === null ? [] : [title]),
		...(captions.length === 0 ? [] : [`captions: ${captions.join(", ")}`]),
		...(message === null ? [] : [message, ...(advice === null ? [] : [advice])]),
		...notes,
	].join("  ");
