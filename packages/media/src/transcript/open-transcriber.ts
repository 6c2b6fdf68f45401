import { createCommandTranscriber } from "./command-transcriber.ts";
import type { Transcriber } from "./transcriber.ts";
import { createWhisperTranscriber } from "./whisper-transcriber.ts";

/** What an operator's settings say of a transcriber. */
export type TranscriberSettings = {
	/** A program of the operator's; see `createCommandTranscriber`. If it is set, the model is not used. */
	readonly program?: string | undefined;
	/** A Whisper model file; see `createWhisperTranscriber`. */
	readonly model?: string | undefined;
	/**
	 * The address of the whisper.cpp binding: `import.meta.resolve("@fugood/whisper.node")`. Only a model needs it
	 * (default: none).
	 */
	readonly binding?: string | undefined;
	/** Folders in the form of PATH in which the program is searched first (default: none). */
	readonly searchPath?: string | undefined;
};

/**
 * Opens the transcriber that an application's settings name, and makes sure that it is there. Returns `null` if the
 * settings name none.
 * @throws {Error} when the transcriber can't work; the message is one sentence
 * @example
 * ```ts
 * import { openTranscriber } from "@reelmill/media";
 *
 * const binding = import.meta.resolve("@fugood/whisper.node");
 * console.log(await openTranscriber({ binding })); // => null
 * const transcriber = await openTranscriber({ program: process.execPath, binding });
 * console.log(transcriber?.name); // => node
 * ```
 */
export async function openTranscriber({
	program,
	model,
	binding,
	searchPath,
}: TranscriberSettings): Promise<Transcriber | null> {
	if (program !== undefined) return createCommandTranscriber({ program, searchPath });
	if (model === undefined) return null;
	if (binding === undefined)
		throw new Error("The package @fugood/whisper.node, which runs Whisper models, is not installed beside this one.");
	return createWhisperTranscriber({ model, binding });
}
