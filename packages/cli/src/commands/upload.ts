import { openAsBlob } from "node:fs";
import type { CreatedVideo, Reelmill, UploadInput, Video } from "@reelmill/node";
import type { Command } from "commander";
import { UsageError } from "../failure.ts";
import type { CliIo } from "../io.ts";
import { wholeNumber } from "../options.ts";
import { createProgressBar, type ProgressBar } from "../progress-bar.ts";
import { sessionOf } from "../session.ts";
import { bytes } from "../text.ts";
import { mustBeAvailable, printVideo } from "./videos.ts";

type Options = {
	public?: boolean;
	externalRef?: string;
	uploaderRef?: string;
	contentType?: string;
	duration?: number;
	transcript?: boolean;
	outro?: string | false;
	wait?: boolean;
};

export const withoutType = (file: string): UsageError =>
	new UsageError(`The ending of ${file} does not tell its type: add --content-type, for example video/mp4.`);

export function addUpload(parent: Command, io: CliIo): void {
	parent
		.command("upload")
		.description("upload a file; broken connections are resumed, and an upload that is stopped is cancelled")
		.argument("<file>")
		.option("--public", "make the video public; otherwise the domain's default decides")
		.option("--external-ref <text>", "your name for the video")
		.option("--uploader-ref <text>", "your name for who uploads; one upload of theirs can be pending at a time")
		.option("--content-type <type>", "where the file's ending does not tell, for example video/mp4")
		.option("--duration <seconds>", "how long it is, where you know", wholeNumber(1))
		.option("--transcript", "write down what is said; otherwise the domain's setting decides")
		.option("--no-transcript", "don't, whatever the domain's setting")
		.option("--outro <slug>", "the outro to append to web.mp4; otherwise the domain's default")
		.option("--no-outro", "none, whatever the domain's default")
		.option("--wait", "wait until the video is available; exit code 1 if it ends otherwise")
		.action(async (file: string, options: Options, command: Command) => {
			const session = sessionOf(io, command);
			const { videos } = session.reelmill();
			const bar = createProgressBar(session.json ? { write: () => {} } : io.stderr);
			try {
				const uploaded = await send(videos, file, inputOf(options), { io, bar, note: session.note });
				if (!options.wait) return printVideo(session, uploaded);
				const onProgress = ({ state, progress }: Video) =>
					bar.percent(state === "encoding" ? "Encoding" : "Waiting", progress);
				const video = await videos.wait(uploaded.id, { signal: io.signal, intervalSeconds: 2, onProgress });
				bar.clear();
				printVideo(session, video);
				mustBeAvailable(video);
			} finally {
				bar.clear();
			}
		});
}

const inputOf = ({
	public: isPublic,
	externalRef,
	uploaderRef,
	contentType,
	duration,
	transcript,
	outro,
}: Options): UploadInput => ({
	...(isPublic ? { visibility: "public" } : {}),
	...(externalRef === undefined ? {} : { external_ref: externalRef }),
	...(uploaderRef === undefined ? {} : { uploader_ref: uploaderRef }),
	...(contentType === undefined ? {} : { content_type: contentType }),
	...(duration === undefined ? {} : { duration_seconds: duration }),
	...(transcript === undefined ? {} : { transcript }),
	...(outro === undefined ? {} : { outro_slug: outro === false ? null : outro }),
});

async function send(
	videos: Reelmill["videos"],
	file: string,
	input: UploadInput,
	{ io, bar, note }: { io: CliIo; bar: ProgressBar; note: (text: string) => void },
): Promise<Video> {
	const { size } = await openAsBlob(file);
	if (size === 0) throw new UsageError(`${file} is empty.`);
	let created: CreatedVideo | undefined;
	try {
		const uploaded = await videos.upload(file, input, {
			signal: io.signal,
			onCreated: (answer) => {
				created = answer;
			},
			onProgress: ({ bytesSent, bytesTotal }) => bar.bytes(bytesSent, bytesTotal),
		});
		bar.clear();
		note(`Uploaded ${bytes(size)}.`);
		return uploaded;
	} catch (error) {
		bar.clear();
		if (created === undefined && error instanceof TypeError) throw withoutType(file);
		if (created && (await cancelled(videos, created.video.id)))
			note(`The upload did not finish; video ${created.video.id} is cancelled.`);
		throw error;
	}
}

/**
 * Cancels an upload that did not finish, so that the uploader may begin another one. An upload that has all its bytes
 * stays. If the service can't be reached, the upload expires.
 */
async function cancelled(videos: Reelmill["videos"], id: string): Promise<boolean> {
	try {
		if ((await videos.get(id)).state !== "pending_upload") return false;
		await videos.cancel(id);
		return true;
	} catch {
		return false;
	}
}
