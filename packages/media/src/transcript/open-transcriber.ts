import { createCommandTranscriber } from "./command-transcriber.ts";
import type { Transcriber } from "./transcriber.ts";
import { createWhisperTranscriber } from "./whisper-transcriber.ts";

export type TranscriberSettings = {
	/** The operator's own program; see `createCommandTranscriber`. It goes before the model. */
	readonly program?: string | undefined;
	/** A Whisper model file; see `createWhisperTranscriber`. */
	readonly model?: string | undefined;
	/** Where the whisper.cpp binding is: `import.meta.resolve("@fugood/whisper.node")`. */
	readonly binding: string;
	/** In the form of PATH; where the program is looked for first. */
	readonly searchPath?: string | undefined;
};

/**
 * The transcriber that an application's settings name, proved to be there; null where they name none. Rejects with an
 * Error of one sentence where it can't work.
 */
export async function openTranscriber({
	program,
	model,
	binding,
	searchPath,
}: TranscriberSettings): Promise<Transcriber | null> {
	if (program !== undefined) return createCommandTranscriber({ program, searchPath });
	return model === undefined ? null : createWhisperTranscriber({ model, binding });
}
