import { checkConfinement, checkTools, openTranscriber, type Tools, type Transcriber } from "@reelmill/media";
import { type Settings, StartError, type workerSettings } from "@reelmill/settings";

/** What a worker runs: ffmpeg and ffprobe, and what makes transcripts; `null` if nothing does. */
export type WorkerPrograms = { readonly tools: Tools; readonly transcriber: Transcriber | null };

/** Where the programs of workers are looked for. */
export type WorkerProgramsOptions = {
	/** Folders in the form of PATH (default: none). */
	readonly searchPath?: string | undefined;
	/** Returns where `@fugood/whisper.node` is, by `import.meta.resolve`; it throws if that is not installed. */
	readonly resolveWhisper: () => string;
	/** What else the operator can do if ffmpeg is missing, as the end of a sentence (default: nothing). */
	readonly otherwise?: string;
};

/**
 * Finds and tries the programs that the settings of a program's workers name.
 *
 * @throws {StartError} when one is missing, does not work, or can't be confined although the setting requires it.
 * @example
 * ```ts
 * import { findWorkerPrograms } from "@reelmill/operations";
 * import { readSettings, workerSettings } from "@reelmill/settings";
 *
 * const settings = readSettings(workerSettings, { MILL_FFMPEG: "/nowhere/ffmpeg" }, "MILL_");
 * const resolveWhisper = () => import.meta.resolve("@fugood/whisper.node");
 * const error = await findWorkerPrograms(settings, { resolveWhisper }).catch((reason) => reason);
 * console.log(error.name, error.message); // => StartError The program /nowhere/ffmpeg can't be found or run. …
 * ```
 */
export async function findWorkerPrograms(
	{ FFMPEG, FFPROBE, CONFINEMENT, TRANSCRIBER, WHISPER_MODEL }: Settings<typeof workerSettings>,
	{ searchPath, resolveWhisper, otherwise = "" }: WorkerProgramsOptions,
): Promise<WorkerPrograms> {
	const refused =
		(of: (message: string) => string) =>
		(cause: Error): never => {
			throw new StartError(of(cause.message), { cause });
		};
	const tools = await checkTools({ ffmpeg: FFMPEG, ffprobe: FFPROBE, confinement: CONFINEMENT }, searchPath).catch(
		refused((message) => `${message} REELMILL_FFMPEG and REELMILL_FFPROBE name others${otherwise}.`),
	);
	if (CONFINEMENT === "required")
		await checkConfinement(tools).catch(refused((message) => `REELMILL_CONFINEMENT: ${message}`));
	const named = TRANSCRIBER === undefined ? "REELMILL_WHISPER_MODEL" : "REELMILL_TRANSCRIBER";
	const asked = { program: TRANSCRIBER, model: WHISPER_MODEL, binding: resolved(resolveWhisper), searchPath };
	const transcriber = await openTranscriber(asked).catch(refused((message) => `${message} ${named} names it.`));
	return { tools, transcriber };
}

/** Returns `undefined` if the optional package is not installed. */
function resolved(resolve: () => string): string | undefined {
	try {
		return resolve();
	} catch {
		return undefined;
	}
}
