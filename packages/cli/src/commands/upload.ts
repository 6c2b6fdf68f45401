import { basename } from "node:path";
import { isReelmillError, type UploadInput, type Video } from "@reelmill/node";
import type { Command } from "commander";
import { fileToSend, keyName, mustFit } from "../file-to-send.ts";
import { wholeNumber } from "../options.ts";
import type { Io } from "../printing.ts";
import { createProgressBar } from "../progress-bar.ts";
import { sendFile } from "../send-file.ts";
import { sessionOf } from "../session.ts";
import { bytes } from "../text.ts";
import { uploadNotes } from "../upload-notes.ts";
import { mustBeAvailable, printVideo } from "./videos.ts";

type Options = {
	public?: boolean;
	externalRef?: string | false;
	uploaderRef?: string;
	contentType?: string;
	duration?: number;
	transcript?: boolean;
	outro?: string | false;
	wait?: boolean;
	resume: boolean;
};

export function addUpload(parent: Command, io: Io): void {
	parent
		.command("upload")
		.description("upload a file; after a lost connection it continues, and after a stop the same command does")
		.argument("<file>")
		.option("--public", "make the video public; otherwise the domain's default decides")
		.option("--external-ref <text>", "your name for the video; otherwise the file's name")
		.option("--no-external-ref", "no name")
		.option(
			"--uploader-ref <text>",
			"your name for the person who uploads; one upload of a person can be pending at a time",
		)
		.option("--content-type <type>", "if the file's ending does not tell it, for example video/mp4")
		.option("--duration <seconds>", "how long it is, if you know", wholeNumber(1))
		.option("--transcript", "write down what is said; otherwise the domain's setting decides")
		.option("--no-transcript", "no transcript, whatever the domain's setting")
		.option("--outro <slug>", "the outro to append to web.mp4; otherwise the domain's default")
		.option("--no-outro", "no outro, whatever the domain's default")
		.option("--wait", "wait until the video is available; exit code 1 if it fails")
		.option("--no-resume", "start from the first byte, and cancel the upload if you stop the command")
		.action(async (path: string, options: Options, command: Command) => {
			const session = sessionOf(io, command);
			const { videos, limits } = session.reelmill();
			const bar = createProgressBar(session.json ? { write: () => {} } : io.stderr);
			try {
				const file = await fileToSend(path);
				const input = inputOf({ externalRef: basename(path), ...options });
				const what = { url: session.baseUrl(), key: keyName(session.key()), file, input };
				const uploaded = await sendFile(videos, file, input, {
					notes: options.resume ? uploadNotes(io, what) : undefined,
					signal: io.signal,
					onProgress: bar.bytes,
					note(text) {
						bar.clear();
						session.note(text);
					},
				}).catch(async (error: unknown) => {
					if (isReelmillError(error, "validation_error"))
						mustFit(path, file.size, (await limits.get({ signal: io.signal })).max_file_bytes);
					throw error;
				});
				bar.clear();
				session.note(`Uploaded ${bytes(file.size)}.`);
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
	...(externalRef === undefined || externalRef === false ? {} : { external_ref: externalRef }),
	...(uploaderRef === undefined ? {} : { uploader_ref: uploaderRef }),
	...(contentType === undefined ? {} : { content_type: contentType }),
	...(duration === undefined ? {} : { duration_seconds: duration }),
	...(transcript === undefined ? {} : { transcript }),
	...(outro === undefined ? {} : { outro_slug: outro === false ? null : outro }),
});
