import { basename } from "node:path";
import { MachineError } from "../errors.ts";
import { execute } from "../run/execute.ts";
import { findProgram } from "../run/find-program.ts";
import { readTranscription } from "./read-transcription.ts";
import type { Transcriber } from "./transcriber.ts";

/** More than hours of speech need. */
const maxOutputBytes = 16 * 1024 ** 2;

/** The program that transcribes, and its bounds. */
export type CommandTranscriberOptions = {
	/** A path, or a name that is searched in `searchPath` and in the system's usual folders. */
	readonly program: string;
	/** Arguments before the last one, which is the WAV file's path (default: none). */
	readonly args?: readonly string[];
	/**
	 * How many seconds the program may use no processor time before it is killed (default: 600). It may wait for another
	 * machine that does the work.
	 */
	readonly stallSeconds?: number | undefined;
	/** Folders in the form of PATH (default: none). */
	readonly searchPath?: string | undefined;
};

/**
 * Makes the function that runs a command and reads the transcription that it prints. The command and all that it
 * started are killed on abort, after `maxSeconds`, if it stands still, and if it prints too much.
 */
export function transcribeBy(name: string, command: readonly string[], stallSeconds = 600): Transcriber["transcribe"] {
	return async (wav, { signal, maxSeconds }) => {
		const printed: Buffer[] = [];
		let bytes = 0;
		const onOutput = (chunk: Buffer) => {
			bytes += chunk.length;
			if (bytes > maxOutputBytes) throw new Error(`${name} printed more than ${maxOutputBytes} bytes.`);
			printed.push(chunk);
		};
		await execute(name, { command: [...command, wav] }, { signal, maxSeconds, stallSeconds, onOutput });
		try {
			return await readTranscription(Buffer.concat(printed).toString("utf8"));
		} catch (error) {
			throw new Error(`What ${name} printed can't be read. ${error instanceof Error ? error.message : String(error)}`, {
				cause: error,
			});
		}
	};
}

/**
 * Creates a transcriber that runs a program of the operator's. The program gets the WAV file's path as its last
 * argument. It prints WebVTT, or JSON: `{ language, confidence, cues: [{ start, end, text }] }` with seconds, or what
 * `whisper-cli -oj` writes. It runs outside of ffmpeg's confinement and without the environment of this process.
 * @throws {MachineError} when there is no such program; the message is one sentence
 * @example
 * ```ts
 * import { createCommandTranscriber } from "@reelmill/media";
 *
 * const transcriber = await createCommandTranscriber({
 * 	program: process.execPath,
 * 	args: ["--eval", "console.log('WEBVTT\\n\\n00:00.000 --> 00:01.500\\nGood morning')"],
 * });
 * const { cues } = await transcriber.transcribe("speech.wav", { maxSeconds: 60 });
 * console.log(cues); // => [ { startSeconds: 0, endSeconds: 1.5, text: 'Good morning' } ]
 * ```
 */
export async function createCommandTranscriber({
	program,
	args = [],
	stallSeconds,
	searchPath,
}: CommandTranscriberOptions): Promise<Transcriber> {
	const find = async (): Promise<string> => {
		const path = await findProgram(program, searchPath);
		if (path === null) throw new MachineError("model_missing", `The program ${program} can't be found or run.`);
		return path;
	};
	const command = [await find(), ...args];
	const name = basename(program);
	return { name, transcribe: transcribeBy(name, command, stallSeconds), check: async () => void (await find()) };
}
