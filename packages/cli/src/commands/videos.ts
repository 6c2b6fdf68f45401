import {
	isReelmillError,
	type ListedVideo,
	type Video,
	type VideoReport,
	type VideoState,
	type Visibility,
} from "@reelmill/node";
import { Argument, type Command, Option } from "commander";
import { state, time } from "../cells.ts";
import { OutcomeError } from "../failure.ts";
import { keyAndValue } from "../options.ts";
import type { Io } from "../printing.ts";
import { type Session, sessionOf } from "../session.ts";
import type { Columns } from "../table.ts";
import { bytes, fields } from "../text.ts";
import { showsList } from "./shows-list.ts";
import { addVideoMetadata } from "./video-metadata.ts";

const states: readonly VideoState[] = [
	"pending_upload",
	"uploaded",
	"queued",
	"locked",
	"encoding",
	"available",
	"failed",
	"timeout",
	"expired",
	"cancelled",
];

const columns: Columns<ListedVideo> = [
	["ID", ({ id }) => id],
	["STATE", (video) => state(video.state, progressText(video))],
	["VISIBILITY", ({ visibility }) => visibility, "if there is room"],
	["SIZE", ({ file_size }) => bytes(file_size), "if there is room"],
	["TITLE", ({ metadata }) => metadata?.title ?? null, "if there is room"],
	["EXTERNAL REF", ({ external_ref }) => external_ref, "if there is room"],
	["CREATED", ({ created_at }) => time(created_at)],
];

type ListOptions = {
	state?: VideoState;
	externalRef?: string;
	uploaderRef?: string;
	search?: string;
	metadata?: { key: string; value: string };
};

export function addVideos(parent: Command, io: Io): void {
	const videos = parent.command("videos").description("the domain's videos");
	const list = videos
		.command("list")
		.description("list the videos, newest first")
		.addOption(new Option("--state <state>", "only those in this state").choices(states))
		.option("--external-ref <text>", "only those with exactly this name of yours")
		.option("--uploader-ref <text>", "only those of exactly this uploader")
		.option("--search <text>", "only those whose title, id (from 8 characters on), name or uploader begins so")
		.addOption(new Option("--metadata <key=value>", "only those with exactly this value").argParser(keyAndValue));
	showsList(
		list,
		io,
		(session, asked, { state: only, externalRef, uploaderRef, search, metadata }: ListOptions) =>
			withTitles((include) =>
				session.reelmill().videos.list({
					...asked,
					...(only && { state: only }),
					...(externalRef !== undefined && { externalRef }),
					...(uploaderRef !== undefined && { uploaderRef }),
					...(search !== undefined && { search }),
					...(metadata && { metadata }),
					...include,
				}),
			),
		columns,
		async (session, { state: only, ...others }) => {
			if (
				[others.externalRef, others.uploaderRef, others.search, others.metadata].some((filter) => filter !== undefined)
			)
				return undefined;
			const { data } = await session.reelmill().videos.counts({ signal: io.signal });
			const counted = data.filter((one) => only === undefined || one.state === only);
			const sum = counted.reduce((all, { count }) => all + count, 0).toLocaleString("en");
			return counted.some(({ more }) => more) ? `more than ${sum}` : sum;
		},
	);
	videos
		.command("counts")
		.description("count the videos of each state, up to 10,000")
		.action(async (_options: object, command: Command) => {
			const session = sessionOf(io, command);
			const { data } = await session.reelmill().videos.counts({ signal: io.signal });
			await session.table(data, [
				["STATE", (counted) => state(counted.state)],
				["VIDEOS", ({ count, more }) => (more ? `more than ${count}` : count)],
			]);
		});
	videos
		.command("show")
		.description("show a video")
		.argument("<id>")
		.action(async (id: string, _options: object, command: Command) => {
			const session = sessionOf(io, command);
			session.print(await session.reelmill().videos.get(id, { signal: io.signal }));
		});
	addVideoMetadata(videos, io);
	videos
		.command("report")
		.description("tell how a video was processed: warnings, what was found in the file, and what was decided")
		.argument("<id>")
		.action(async (id: string, _options: object, command: Command) => {
			const session = sessionOf(io, command);
			session.print(await session.reelmill().videos.report(id, { signal: io.signal }), reportText);
		});
	videos
		.command("timeline")
		.description("tell when a video came to each state, which worker took it, and how far it is encoded")
		.argument("<id>")
		.action(async (id: string, _options: object, command: Command) => {
			const session = sessionOf(io, command);
			session.print(await session.reelmill().videos.timeline(id, { signal: io.signal }));
		});
	videos
		.command("transcript")
		.description("print what is said in a video")
		.argument("<id>")
		.action(async (id: string, _options: object, command: Command) => {
			const session = sessionOf(io, command);
			const transcript = await session.reelmill().videos.transcript(id, { signal: io.signal });
			session.print(transcript, ({ text, status }) => text ?? `Video ${id} has no transcript: ${status}.`);
		});
	videos
		.command("watch")
		.description("follow a video until it is available, or ends otherwise (exit code 1)")
		.argument("<id>")
		.action(async (id: string, _options: object, command: Command) => {
			const session = sessionOf(io, command);
			const onProgress = (video: Video) => session.stream(video, progressText);
			mustBeAvailable(await session.reelmill().videos.wait(id, { signal: io.signal, intervalSeconds: 2, onProgress }));
		});
	videos
		.command("cancel")
		.description("cancel a video that is not finished")
		.argument("<id>")
		.action(async (id: string, _options: object, command: Command) => {
			const session = sessionOf(io, command);
			session.print(
				await session.reelmill().videos.cancel(id, { signal: io.signal }),
				() => `Video ${id} is cancelled.`,
			);
		});
	videos
		.command("reprocess")
		.description("process a failed video of any domain again, as the operator")
		.argument("<id>")
		.action(async (id: string, _options: object, command: Command) => {
			const session = sessionOf(io, command);
			session.print(
				await session.admin().videos.reprocess(id, { signal: io.signal }),
				({ state }) => `Video ${id} is ${state}.`,
			);
		});
	videos
		.command("delete")
		.description("delete a video")
		.argument("<id>")
		.action(async (id: string, _options: object, command: Command) => {
			const session = sessionOf(io, command);
			await session.reelmill().videos.delete(id, { signal: io.signal });
			session.print({ id, deleted: true }, () => `Video ${id} is deleted.`);
		});
	videos
		.command("visibility")
		.description("make a video private or public, within a minute")
		.argument("<id>")
		.addArgument(new Argument("<visibility>").choices(["private", "public"]))
		.action(async (id: string, visibility: Visibility, _options: object, command: Command) => {
			const session = sessionOf(io, command);
			session.print(
				await session.reelmill().videos.setVisibility(id, visibility, { signal: io.signal }),
				() => `Video ${id} is ${visibility}.`,
			);
		});
}

/** Lists with titles and values; a service of an older version, which knows none, is asked again without. */
async function* withTitles(
	list: (include: { include?: "metadata" }) => AsyncIterable<ListedVideo>,
): AsyncGenerator<ListedVideo> {
	let hasBegun = false;
	try {
		for await (const video of list({ include: "metadata" })) {
			hasBegun = true;
			yield video;
		}
	} catch (error) {
		const isOlder = isReelmillError(error, "validation_error") && error.message.includes("include: unknown key");
		if (hasBegun || !isOlder) throw error;
		yield* list({});
	}
}

/** Formats a report: warnings and decisions as sentences, everything else by its name. */
function reportText({ video_id, report, warnings }: VideoReport): string {
	if (report === null)
		return `Video ${video_id} has no report: it gets one when it becomes available, or when its source can't be processed.`;
	const { decisions, warnings: _codes, warning_details: _details, ...rest } = report;
	const told = Array.isArray(decisions)
		? decisions.map(({ about, decision, because }) => `${about}: ${decision}, because ${because}`)
		: [];
	const warned = warnings.map(
		({ code, message, detail }) => `warning: ${message}${detail === undefined ? "" : ` ${detail}`} (${code})`,
	);
	return [...warned, ...told, fields(rest)].join("\n");
}

function progressText({ state, progress, failure_reason }: Video): string {
	if (state === "encoding") return `encoding ${progress} %`;
	return failure_reason === null ? state : `${state} (${failure_reason})`;
}

/**
 * Checks that a video became available.
 * @throws {OutcomeError} when it did not; the error's code is the video's state
 */
export function mustBeAvailable({ id, state, failure_reason }: Video): void {
	if (state !== "available")
		throw new OutcomeError(
			state,
			`Video ${id} did not become available${failure_reason === null ? "" : `: ${failure_reason}`}.`,
		);
}

/** Prints a video: the fields that people need, or all of them as JSON. */
export function printVideo(session: Session, video: Video): void {
	session.print(video, ({ id, visibility, outputs }) => {
		const urls =
			outputs === null
				? []
				: [outputs.hls_url, outputs.dash_url, outputs.mp4_url, outputs.thumbnail_url].filter((url) => url !== null);
		return [`${id}  ${progressText(video)}, ${visibility}`, ...urls].join("\n");
	});
}
