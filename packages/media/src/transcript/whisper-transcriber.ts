import { access, constants } from "node:fs/promises";
import { ProgramError } from "../errors.ts";
import { execute } from "../run/execute.ts";
import { transcribeBy } from "./command-transcriber.ts";
import type { Transcriber } from "./transcriber.ts";

export type WhisperTranscriberOptions = {
	/** Path of a Whisper model in whisper.cpp's format, such as ggml-base.bin. */
	readonly model: string;
	/** The module's address: `import.meta.resolve("@fugood/whisper.node")`. */
	readonly binding: string;
};

/**
 * Runs in a process of its own: what native code breaks there breaks nothing here, and it can be killed. Without a WAV
 * file it only loads the model.
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
 * A transcriber that is whisper.cpp with the operator's model, loaded anew for each video. The model is loaded once
 * before this resolves: rejects with an Error of one sentence where it is missing or broken, or where the binding has
 * no build for this machine.
 */
export async function createWhisperTranscriber({ model, binding }: WhisperTranscriberOptions): Promise<Transcriber> {
	await access(model, constants.R_OK).catch((cause: unknown) => {
		throw new Error(`The Whisper model ${model} can't be read (${(cause as NodeJS.ErrnoException).code}).`, { cause });
	});
	const command = [process.execPath, "--input-type=module", "--eval", script, binding, model];
	await execute("whisper", { command }, { maxSeconds: 300 }).catch((cause: unknown) => {
		const words = cause instanceof ProgramError ? cause.stderr : String(cause);
		if (/Failed to initialize whisper context|failed to load model/.test(words))
			throw new Error(`${model} is no Whisper model that can be loaded.`, { cause });
		throw new Error(`whisper.cpp does not run: ${cause instanceof Error ? cause.message : words}`, { cause });
	});
	return { name: "whisper.cpp", transcribe: transcribeBy("whisper", command) };
}
