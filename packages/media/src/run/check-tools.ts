import type { Tools } from "../types.ts";
import { findProgram } from "./find-program.ts";
import { openPrograms } from "./programs.ts";

const install = "On Debian or Ubuntu: apt-get install ffmpeg. On macOS: brew install ffmpeg-full.";

/** What not every build of ffmpeg has. */
const needed = { encoder: ["libx264", "libsvtav1", "aac"], filter: ["zscale"] };

/**
 * Finds ffmpeg and ffprobe, makes sure that they can do the work, and returns the tools with absolute paths.
 * @param searchPath folders in the form of PATH, which are searched before the system's usual folders
 * @throws {Error} when a program or an encoder is missing; one sentence names it, and a second says what to install
 * @example
 * ```ts
 * import { isAbsolute } from "node:path";
 * import { checkTools } from "@reelmill/media";
 *
 * const { ffmpeg } = await checkTools({ ffmpeg: "ffmpeg", ffprobe: "ffprobe" }, process.env.PATH);
 * console.log(isAbsolute(ffmpeg)); // => true
 * ```
 */
export async function checkTools(tools: Tools, searchPath?: string): Promise<Tools> {
	const find = async (name: string): Promise<string> => {
		const path = await findProgram(name, searchPath);
		if (path === null) throw new Error(`The program ${name} can't be found or run. ${install}`);
		return path;
	};
	const found = { ...tools, ffmpeg: await find(tools.ffmpeg), ffprobe: await find(tools.ffprobe) };
	const programs = await openPrograms({ ...found, confinement: "off" });
	const broken = (program: string) => (error: unknown) => {
		throw new Error(`${program} does not run (${error instanceof Error ? error.message : String(error)}). ${install}`);
	};
	for (const [kind, names] of Object.entries(needed)) {
		const { stdout } = await programs.run("ffmpeg", ["-hide_banner", `-${kind}s`]).catch(broken(found.ffmpeg));
		const missing = names.filter((name) => !new RegExp(`^ \\S+ ${name} `, "m").test(stdout.toString("utf8")));
		if (missing.length > 0) throw new Error(`${found.ffmpeg} lacks the ${kind} ${missing.join(" and ")}. ${install}`);
	}
	await programs.run("ffprobe", ["-version"]).catch(broken(found.ffprobe));
	return found;
}
