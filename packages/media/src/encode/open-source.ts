import { rm } from "node:fs/promises";
import { probeWithContent } from "../content/probe-with-content.ts";
import { MediaError, ProgramError } from "../errors.ts";
import { machineFaultOf } from "../machine-fault.ts";
import type { Run } from "../run/programs.ts";
import { mayJump } from "../source/packet-clock.ts";
import { probeWith } from "../source/probe.ts";
import { renumberStreams } from "../source/renumber-streams.ts";
import { copiedTexts, isCrooked, straighten } from "../source/straighten.ts";
import type { SourceProbe } from "../types.ts";

/** A source that every process of an encode reads at the same times. */
export type OpenedSource = { readonly source: string; readonly probed: SourceProbe };

/** Returns what a step gives; `null` if a source can't be copied or read again as the step wants it. */
async function orNull<T>(run: Run, step: () => Promise<T>): Promise<T | null> {
	try {
		return await step();
	} catch (error) {
		run.signal?.throwIfAborted();
		if (error instanceof MediaError || (error instanceof ProgramError && machineFaultOf(error) === null)) return null;
		throw error;
	}
}

const soundsOf = ({ audio, furtherAudio }: SourceProbe) => (audio === null ? 0 : 1) + furtherAudio.length;

/** How much shorter than its recordings together a copy may be: pictures at the joins may be lost. */
const mostLostSeconds = 1;
const mostLostShare = 0.01;

/** Measures a source, or a copy in which each stream keeps its number, if the copy has all that the source has. */
async function renumbered(run: Run, source: string, copy: string): Promise<OpenedSource> {
	const { renumbered: numbers, ...probed } = await probeWith(run, source);
	if (numbers === undefined) return { source, probed };
	const again = await orNull(run, async () => {
		await renumberStreams(source, copy, numbers, run.signal);
		return probeWith(run, copy);
	});
	const lostSeconds = again === null ? 0 : numbers.seconds - (again.video.endSeconds - again.video.startSeconds);
	const isWhole =
		again !== null &&
		lostSeconds <= Math.max(mostLostSeconds, mostLostShare * numbers.seconds) &&
		soundsOf(again) >= numbers.sounds;
	if (isWhole) return { source: copy, probed: { ...again, renumbered: numbers } };
	await rm(copy, { force: true });
	return { source, probed: { ...probed, isFirstAlone: true } };
}

/**
 * Makes and measures a copy without jumps. Returns `null` if it can't be made, or lacks a sound because MPEG-TS has no
 * name for it.
 */
async function straightened(run: Run, { source, probed }: OpenedSource, copy: string): Promise<SourceProbe | null> {
	const again = await orNull(run, async () => {
		await straighten(run, source, probed, copy);
		return probeWithContent(run, copy);
	});
	if (again !== null && soundsOf(again) === soundsOf(probed)) return again;
	await rm(copy, { force: true });
	return null;
}

/**
 * Measures a source as `probeWithContent` does. If its clock jumps, the result is a copy without the jumps. If its
 * streams go on under other numbers, it is a copy in which they keep those that they began with.
 * @param copy where the copy goes, if there is one; a further one goes beside it
 */
export async function openSource(run: Run, source: string, copy: string): Promise<OpenedSource> {
	const opened = await renumbered(run, source, `${copy}-numbers`);
	const { probed } = opened;
	const again = isCrooked(probed) ? await straightened(run, opened, copy) : null;
	if (again === null) {
		// What ffmpeg doesn't expect to jump, it follows no further than its first recording.
		const isFirstAlone = probed.clockJumps !== undefined && !mayJump(probed.container);
		const measured = isFirstAlone ? await probeWith(run, opened.source, true) : probed;
		return { ...opened, probed: await probeWithContent(run, opened.source, measured) };
	}
	if (opened.source !== source) await rm(opened.source);
	// What lies between two recordings is no gap of either. In the copy nothing tells that gap from the others.
	const { frameRate, motionRate, variableFrameRate, unevenGaps } = probed.video;
	const video = { ...again.video, frameRate, motionRate, variableFrameRate, unevenGaps };
	const { programme, clockJumps = [], renumbered: numbers, chapters } = probed;
	const copied = new Set(copiedTexts(probed));
	// What the copy lacks is left out, and the report says so.
	const texts = [...(again.texts ?? []), ...(probed.texts ?? []).filter((text) => !copied.has(text))];
	// The copy has one programme alone, and no chapters.
	const kept = {
		...{ ...(programme && { programme }), ...(numbers && { renumbered: numbers }), ...(chapters && { chapters }) },
		...(texts.length > 0 && { texts }),
		...(probed.isFirstAlone && { isFirstAlone: true as const }),
		clockJumps,
	};
	return { source: copy, probed: { ...again, ...kept, video } };
}
