import { mkdir } from "node:fs/promises";
import type { Job } from "@reelmill/contracts";
import { transcribeFinished } from "@reelmill/media";
import { sendOutputs } from "../transfer/send-outputs.ts";
import type { Attempt, Completion } from "./attempt.ts";

const file = "transcript.vtt";

/** Makes the transcript of a video that is available already, and sends it to the service. */
export async function workOnTranscript(
	{ duration_seconds: durationSeconds }: NonNullable<Job["transcript"]>,
	source: string,
	attempt: Attempt,
): Promise<Completion> {
	const { outputs, tools, logger, signal, maxSeconds, transcriber } = attempt;
	if (transcriber === undefined) throw new Error("This worker was given a transcript to make, and has no transcriber.");
	await mkdir(outputs, { recursive: true });
	const { status, language } = await transcribeFinished({
		source,
		directory: outputs,
		durationSeconds,
		transcriber,
		tools,
		logger,
		signal,
		maxSeconds,
	});
	const files = status === "available" ? await sendOutputs([file], attempt) : [];
	return {
		outputs: { files, renditions: [] },
		// The server takes only the transcript from this completion, and keeps the video's own width and height.
		media: { duration_seconds: durationSeconds, width: 1, height: 1, transcript_status: status, language },
	};
}
