import type { Tools } from "../types.ts";
import { type ConfinementOptions, type ConfinementPart, confinementParts } from "./confinement.ts";
import { openPrograms } from "./programs.ts";

/**
 * Returns the parts of ffmpeg's confinement that are missing on this machine, and logs them as a warning. An
 * application calls it at its start to learn what its jobs will find.
 * @throws {Error} when a program is missing, or when `tools.confinement` is `required` and a part is missing; the
 * message is one sentence that names what is missing
 * @example
 * ```ts
 * import { checkConfinement, confinementPartNames } from "@reelmill/media";
 *
 * const missing = await checkConfinement({ ffmpeg: "ffmpeg", ffprobe: "ffprobe" });
 * console.log(missing.every((part) => confinementPartNames.includes(part))); // => true
 * ```
 */
export async function checkConfinement(
	tools: Tools,
	options: Pick<ConfinementOptions, "logger" | "signal"> = {},
): Promise<readonly ConfinementPart[]> {
	const { missing } = await openPrograms(tools, options);
	if (tools.confinement === "off") options.logger?.warn({ missing }, "ffmpeg's confinement is switched off");
	return missing;
}

/** The parts of a whole confinement, in the order in which messages list them. */
export const confinementPartNames = Object.keys(confinementParts) as ConfinementPart[];
