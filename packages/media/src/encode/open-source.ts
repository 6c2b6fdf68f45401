import { probeWithContent } from "../content/probe-with-content.ts";
import { MediaError, ProgramError } from "../errors.ts";
import { machineFaultOf } from "../machine-fault.ts";
import type { Run } from "../run/programs.ts";
import { probeWith } from "../source/probe.ts";
import { isCrooked, straighten } from "../source/straighten.ts";
import type { SourceProbe } from "../types.ts";

/** A source that every process of an encode reads at the same times. */
export type OpenedSource = { readonly source: string; readonly probed: SourceProbe };

/**
 * Makes and measures the copy. Returns `null` if it can't be made, or lacks a sound because MPEG-TS has no name for it:
 * ffmpeg then follows the clock by itself, as far as it can.
 */
async function straightened(run: Run, source: string, probed: SourceProbe, copy: string): Promise<SourceProbe | null> {
	const soundsOf = ({ audio, furtherAudio }: SourceProbe) => (audio === null ? 0 : 1) + furtherAudio.length;
	try {
		await straighten(run, source, probed, copy);
		const again = await probeWithContent(run, copy);
		return soundsOf(again) === soundsOf(probed) ? again : null;
	} catch (error) {
		run.signal?.throwIfAborted();
		if (error instanceof MediaError || (error instanceof ProgramError && machineFaultOf(error) === null)) return null;
		throw error;
	}
}

/**
 * Measures a source as `probeWithContent` does. If its clock jumps, the result is a copy without the jumps.
 * @param copy where the copy goes, if there is one
 */
export async function openSource(run: Run, source: string, copy: string): Promise<OpenedSource> {
	const probed = await probeWith(run, source);
	const again = isCrooked(probed) ? await straightened(run, source, probed, copy) : null;
	if (again === null) return { source, probed: await probeWithContent(run, source, probed) };
	// What lies between two recordings is no gap of either. In the copy nothing tells that gap from the others.
	const { frameRate, motionRate, variableFrameRate, unevenGaps } = probed.video;
	const video = { ...again.video, frameRate, motionRate, variableFrameRate, unevenGaps };
	// The copy has one programme alone.
	const programme = probed.programme && { programme: probed.programme };
	return { source: copy, probed: { ...again, ...programme, video, clockJumps: probed.clockJumps ?? [] } };
}
