import { basename } from "node:path";
import { execute } from "../run/execute.ts";
import { findProgram } from "../run/find-program.ts";
import { readTranscription } from "./read-transcription.ts";
import type { Transcriber } from "./transcriber.ts";

/** Hours of speech are less. */
const maxOutputBytes = 16 * 1024 ** 2;

export type CommandTranscriberOptions = {
	/** A path, or a name that is looked for in `searchPath` and in the system's usual folders. */
	readonly program: string;
	/** Stand before the WAV file's path, which is the last argument; none unless told. */
	readonly args?: readonly string[];
	/** In the form of PATH. */
	readonly searchPath?: string | undefined;
};

/**
 * Runs a command that prints a transcription; it is killed, with all that it started, on abort, after `maxSeconds`, and
 * where it prints without end.
 */
export function transcribeBy(name: string, command: readonly string[]): Transcriber["transcribe"] {
	return async (wav, { signal, maxSeconds }) => {
		const printed: Buffer[] = [];
		let bytes = 0;
		const onOutput = (chunk: Buffer) => {
			bytes += chunk.length;
			if (bytes > maxOutputBytes) throw new Error(`${name} printed more than ${maxOutputBytes} bytes.`);
			printed.push(chunk);
		};
		await execute(name, { command: [...command, wav] }, { signal, maxSeconds, onOutput });
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
 * A transcriber that is a program of the operator's: it gets the WAV file's path as its last argument and prints WebVTT
 * or JSON, `{ language, confidence, cues: [{ start, end, text }] }` in seconds or what `whisper-cli -oj` writes. It
 * runs outside of ffmpeg's sandbox, without the environment of this process. Rejects with an Error of one sentence
 * where there is no such program.
 */
export async function createCommandTranscriber({
	program,
	args = [],
	searchPath,
}: CommandTranscriberOptions): Promise<Transcriber> {
	const path = await findProgram(program, searchPath);
	if (path === null) throw new Error(`The program ${program} can't be found or run.`);
	const name = basename(program);
	return { name, transcribe: transcribeBy(name, [path, ...args]) };
}
