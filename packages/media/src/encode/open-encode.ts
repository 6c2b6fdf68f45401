import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { EncodePlan } from "../plan/encode-plan.ts";
import { openPrograms, pasteable } from "../run/programs.ts";
import type { Logger, SourceProbe, Tools } from "../types.ts";
import type { Encode } from "./encode.ts";
import { encodeArguments } from "./encode-arguments.ts";
import { openSource } from "./open-source.ts";

export type OpenEncodeOptions = {
	readonly source: string;
	readonly directory: string;
	readonly tools: Tools;
	readonly onProbe?: ((probe: SourceProbe) => void) | undefined;
	readonly logger?: Logger | undefined;
	readonly signal?: AbortSignal | undefined;
	readonly maxSeconds?: number | undefined;
};

/** The folder under the outputs for files that a job needs only while it runs. The job removes it in the end. */
export const workFolder = (directory: string): string => join(directory, ".work");

/**
 * Prepares an encode: opens the programs, probes the source, plans by `plan`, makes the folders and logs ffmpeg's
 * command line. Rejects as `openPrograms`, `probe` and `plan` do.
 */
export async function openEncode(
	{ tools, onProbe, logger, signal, maxSeconds, ...options }: OpenEncodeOptions,
	makePlan: (probed: SourceProbe) => EncodePlan,
): Promise<{ readonly encode: Encode; readonly probed: SourceProbe }> {
	const directory = resolve(options.directory);
	const programs = await openPrograms(tools, { logger, maxSeconds, signal });
	const work = workFolder(directory);
	await mkdir(work, { recursive: true });
	const { source, probed } = await openSource({ programs, signal }, resolve(options.source), join(work, "straight"));
	onProbe?.(probed);
	const plan = makePlan(probed);
	const paths = {
		video: ({ name }: { readonly name: string }) => join(work, `${name}.mp4`),
		audio: ({ name }: { readonly name: string }) => join(work, `${name}.m4a`),
	};
	const command = pasteable([tools.ffmpeg, ...encodeArguments(plan, source, paths, { hardware: tools.hardware })]);
	logger?.info({ command, decisions: plan.report.decisions }, "encoding");
	return { encode: { programs, signal, source, plan, paths, directory, logger, hardware: tools.hardware }, probed };
}
