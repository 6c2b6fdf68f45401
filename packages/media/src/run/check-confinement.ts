import type { Tools } from "../types.ts";
import { type ConfinementOptions, type ConfinementPart, confinementParts } from "./confinement.ts";
import { openPrograms } from "./programs.ts";

/**
 * Says at start what jobs will find: which parts of ffmpeg's confinement are missing on this machine, none where it is
 * whole. Each is logged as a warning. Throws an Error of one sentence that names a missing program, or, where
 * `tools.confinement` is `required`, what is missing.
 */
export async function checkConfinement(
	tools: Tools,
	options: Pick<ConfinementOptions, "logger" | "signal"> = {},
): Promise<readonly ConfinementPart[]> {
	const { missing } = await openPrograms(tools, options);
	if (tools.confinement === "off") options.logger?.warn({ missing }, "ffmpeg's confinement is switched off");
	return missing;
}

/** The parts of a whole confinement, in the order in which they are told. */
export const confinementPartNames = Object.keys(confinementParts) as ConfinementPart[];
