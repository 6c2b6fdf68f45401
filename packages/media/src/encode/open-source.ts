import { probeWithContent } from "../content/probe-with-content.ts";
import type { Run } from "../run/programs.ts";
import { probeWith } from "../source/probe.ts";
import { isCrooked, straighten } from "../source/straighten.ts";
import type { SourceProbe } from "../types.ts";

/** A source that every process of an encode reads at the same times. */
export type OpenedSource = { readonly source: string; readonly probed: SourceProbe };

/**
 * Measures a source as `probeWithContent` does. If its clock jumps, the result is a copy without the jumps.
 * @param copy where the copy goes, if there is one
 */
export async function openSource(run: Run, source: string, copy: string): Promise<OpenedSource> {
	const probed = await probeWith(run, source);
	if (!isCrooked(probed)) return { source, probed: await probeWithContent(run, source, probed) };
	await straighten(run, source, probed, copy);
	const again = await probeWithContent(run, copy);
	// What lies between two recordings is no gap of either. In the copy nothing tells that gap from the others.
	const { frameRate, motionRate, variableFrameRate, unevenGaps } = probed.video;
	const video = { ...again.video, frameRate, motionRate, variableFrameRate, unevenGaps };
	return { source: copy, probed: { ...again, video, clockJumps: probed.clockJumps ?? [] } };
}
