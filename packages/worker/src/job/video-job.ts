import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { outputSumsFile, renderOutputSums } from "@reelmill/contracts";
import { type MeasuredSteps, makeMezzanine, measureSteps, type Playable, processVideo } from "@reelmill/media";
import { sendOutputs } from "../transfer/send-outputs.ts";
import { type FinishedOutputs, writeFinished } from "../work-directory/finished-outputs.ts";
import type { Attempt, Completion } from "./attempt.ts";
import { openChunkWorkers } from "./chunk-workers.ts";
import { addOutro } from "./outro.ts";
import { sendPlayable } from "./playable.ts";

/** Makes the outputs of a video or an outro asset, and sends them to the service. `fetched` are the steps up to here. */
export async function workOnVideo(
	source: string,
	fetched: MeasuredSteps["steps"],
	attempt: Attempt,
): Promise<Completion> {
	const made = await encode(source, fetched, attempt);
	return send(made, attempt);
}

/** Sends what an earlier attempt finished, and reports it as if this one had encoded it. */
export function resumeVideo(finished: FinishedOutputs, attempt: Attempt): Promise<Completion> {
	const { duration_seconds, width, height } = finished.made.media;
	attempt.lock.report(99, { probe: { duration_seconds, width, height } });
	attempt.logger.info({}, "an earlier attempt finished encoding: sending its outputs");
	return send(finished, attempt);
}

/** Appends the outro, sends the outputs, and returns how the job is completed. */
export async function send(encoded: FinishedOutputs, attempt: Attempt): Promise<Completion> {
	const { measure, steps } = measureSteps();
	const whole = await withOutro(encoded, attempt, measure);
	const sums = renderOutputSums(whole.files.map(({ path, sha256 }) => [path, sha256]));
	await writeFile(join(attempt.outputs, outputSumsFile), sums);
	const files = await measure("send", () => sendOutputs([outputSumsFile, ...whole.made.files], attempt));
	return completionOf(whole, files, steps);
}

/** Makes the outputs and records that they are finished. */
async function encode(source: string, fetched: MeasuredSteps["steps"], attempt: Attempt): Promise<FinishedOutputs> {
	const { job, folder, outputs, lock, tools, logger, signal, maxSeconds, cores, transcriber } = attempt;
	const chunkWorkers = openChunkWorkers(attempt);
	const make = job.kind === "outro" ? makeMezzanine : processVideo;
	const made = await make({
		source,
		directory: outputs,
		job,
		tools,
		logger,
		signal,
		maxSeconds,
		cores,
		transcriber,
		chunkWorkers,
		// The same chunks as before, so that finished ones fit.
		...(chunkWorkers !== undefined && job.cut !== undefined && { chunks: job.cut }),
		onProbe: ({ durationSeconds, width, height }) =>
			lock.report(0, { probe: { duration_seconds: Math.round(durationSeconds * 1000) / 1000, width, height } }),
		...(job.playable_first && {
			onPlayable: (playable: Playable) => sendPlayable(playable.files, attempt),
		}),
		// The last percent is for sending the outputs.
		onProgress: (percent, encodes) => lock.report(Math.min(99, percent), { encodes }),
	});
	const report = { ...made.report, steps: [...fetched, ...stepsOf(made)] };
	return writeFinished(folder, job, { made: { ...made, report }, outro: null });
}

/** Appends the outro if the job asks for it and no attempt has done so. */
async function withOutro(
	finished: FinishedOutputs,
	attempt: Attempt,
	measure: MeasuredSteps["measure"],
): Promise<FinishedOutputs> {
	const { job, folder } = attempt;
	const isWanted = job.plan.outro_id !== null && finished.made.files.includes("web.mp4");
	if (finished.outro !== null || !isWanted) return finished;
	const { made, files } = finished;
	const outro = await measure("outro", () => addOutro(attempt));
	// No other file has the outro.
	const unchanged = files.filter(({ path }) => path !== "web.mp4");
	return writeFinished(folder, job, { made, outro }, unchanged);
}

/** What was measured of the encode. That of an earlier version of the worker measured nothing. */
const stepsOf = ({ report }: FinishedOutputs["made"]): MeasuredSteps["steps"] =>
	(report.steps ?? []) as MeasuredSteps["steps"];

function completionOf(
	{ made, outro }: FinishedOutputs,
	files: Completion["outputs"]["files"],
	steps: MeasuredSteps["steps"],
): Completion {
	const decisions = [
		...(made.report.decisions as object[]),
		...(outro === null ? [] : [{ about: "outro", ...outro.decision }]),
	];
	return {
		outputs: { files, renditions: made.renditions, has_outro: outro?.hasOutro ?? false },
		media: {
			...made.media,
			transcript_status: made.transcript?.status ?? "disabled",
			language: made.transcript?.language ?? null,
		},
		report: { ...made.report, decisions, steps: [...stepsOf(made), ...steps] } as NonNullable<Completion["report"]>,
	};
}
