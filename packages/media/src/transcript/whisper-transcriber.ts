import { access, constants } from "node:fs/promises";
import { MachineError, ProgramError } from "../errors.ts";
import { execute } from "../run/execute.ts";
import { transcribeBy } from "./command-transcriber.ts";
import type { Transcriber } from "./transcriber.ts";

/** The model of whisper.cpp, and how it runs. */
export type WhisperTranscriberOptions = {
	/** Path of a Whisper model in the format of whisper.cpp, such as ggml-base.bin. */
	readonly model: string;
	/** The module's address: `import.meta.resolve("@fugood/whisper.node")`. */
	readonly binding: string;
};

/**
 * The program of a process of its own: native code that crashes there breaks nothing here, and it can be killed.
 * Without a WAV file it only loads the model.
 */
const script = `
const [binding, model, wav] = process.argv.slice(1);
const { initWhisper } = await import(binding);
const context = await initWhisper({ filePath: model, useGpu: false });
if (wav !== undefined) {
	const { segments, language } = await context.transcribeFile(wav, { language: "auto" }).promise;
	console.log(JSON.stringify({ language, cues: segments.map(({ t0, t1, text }) => ({ start: t0 / 1000, end: t1 / 1000, text })) }));
}
await context.release();
`;

/**
 * Creates a transcriber that runs whisper.cpp with a model of the operator's. The model is loaded once before the
 * promise resolves, and again for each video.
 * @throws {Error} when the model is missing or broken, or the binding has no build for this machine; the message is one
 * sentence
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { createWhisperTranscriber } from "@reelmill/media";
 *
 * const binding = import.meta.resolve("@fugood/whisper.node");
 * await assert.rejects(createWhisperTranscriber({ model: "no-such-model.bin", binding }), /can't be read/);
 * ```
 */
export async function createWhisperTranscriber({ model, binding }: WhisperTranscriberOptions): Promise<Transcriber> {
	const check = () =>
		access(model, constants.R_OK).catch((cause: NodeJS.ErrnoException) => {
			throw new MachineError("model_missing", `The Whisper model ${model} can't be read (${cause.code}).`, { cause });
		});
	await check();
	const command = [process.execPath, "--input-type=module", "--eval", script, binding, model];
	await execute("whisper", { command }, { maxSeconds: 300 }).catch((cause: unknown) => {
		const words = cause instanceof ProgramError ? cause.stderr : String(cause);
		if (/Failed to initialize whisper context|failed to load model/.test(words))
			throw new Error(`${model} is no Whisper model that can be loaded.`, { cause });
		throw new Error(`whisper.cpp does not run: ${cause instanceof Error ? cause.message : words}`, { cause });
	});
	return { name: "whisper.cpp", transcribe: transcribeBy("whisper", command), check };
}
