import { join, resolve } from "node:path";
import { MachineError } from "../errors.ts";
import { machineFaultOf } from "../machine-fault.ts";
import type { Logger, Tools } from "../types.ts";
import { openPrograms } from "./programs.ts";

/** What a trial of the tools is given: a folder for what it writes, and what ends it. */
export type TryToolsOptions = {
	/** An existing folder, in which the trial's files are left. */
	readonly directory: string;
	readonly logger?: Logger | undefined;
	readonly signal?: AbortSignal | undefined;
};

/** The trial is over in a second. The machine may be busy. */
const maxSeconds = 300;
/** AV1 takes no smaller picture. */
const picture = "testsrc2=size=64x64:rate=5:duration=0.6";

/**
 * Encodes three pictures and their sound with each encoder in software, and reads what was made, as confined as jobs
 * are. So it finds out whether the programs work, and whether what they make can be written.
 * @throws {MachineError} when they don't
 * @throws the signal's reason when aborted
 * @example
 * ```ts
 * import { tryTools } from "@reelmill/media";
 *
 * const tools = { ffmpeg: "ffmpeg", ffprobe: "ffprobe" };
 * await tryTools(tools, { directory: "." });
 * const ill = await tryTools({ ...tools, ffmpeg: "/nowhere/ffmpeg" }, { directory: "." }).catch((error) => error);
 * console.log(ill.fault); // => program_unusable
 * ```
 */
export async function tryTools(tools: Tools, { directory, logger, signal }: TryToolsOptions): Promise<void> {
	const folder = resolve(directory);
	const made = join(folder, "trial.mp4");
	const input = ["-f", "lavfi", "-i", picture, "-f", "lavfi", "-i", "sine=duration=0.6"];
	const encoders = ["-c:v:0", "libx264", "-c:v:1", "libsvtav1", "-preset:v:1", "10", "-c:a", "aac"];
	const maps = ["-map", "0:v", "-map", "0:v", "-map", "1:a", "-pix_fmt", "yuv420p"];
	try {
		const programs = await openPrograms(tools, { logger, signal, maxSeconds });
		await programs.run("ffmpeg", ["-nostdin", "-v", "error", "-y", ...input, ...maps, ...encoders, made], {
			signal,
			writes: [folder],
		});
		await programs.run("ffprobe", ["-v", "error", "-count_packets", "-show_streams", made], { signal, reads: [made] });
	} catch (error) {
		signal?.throwIfAborted();
		const message = error instanceof Error ? error.message : String(error);
		throw new MachineError(machineFaultOf(error) ?? "program_unusable", message, { cause: error });
	}
}
