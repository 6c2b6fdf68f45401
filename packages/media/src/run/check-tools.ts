import type { Tools } from "../types.ts";
import { findProgram } from "./find-program.ts";
import { openPrograms } from "./programs.ts";

const install = "On Debian or Ubuntu: apt-get install ffmpeg. On macOS: brew install ffmpeg-full.";

/** Not in every build of ffmpeg. */
const needed = { encoder: ["libx264", "libsvtav1", "aac"], filter: ["zscale"] };

/**
 * Finds ffmpeg and ffprobe and makes sure that they can do the work; answers with their absolute paths. `searchPath`
 * has the form of PATH and is looked through before the system's usual folders. Throws an Error of one sentence that
 * names what is missing, and a second that says what to install.
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
