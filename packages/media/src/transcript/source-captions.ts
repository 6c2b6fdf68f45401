import { mkdir, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { transcriptFile } from "@reelmill/contracts/captions";
import type { Encode } from "../encode/encode.ts";
import { workFolder } from "../encode/open-encode.ts";
import type { CaptionTrack } from "../package/caption-track.ts";
import type { Decision } from "../plan/decision.ts";
import { earlierBy } from "../plan/frame-rate.ts";
import { encodeLimits, probeLimits } from "../run/resource-limits.ts";
import { guardedInput } from "../source/guarded-input.ts";
import { isText } from "../source/text-tracks.ts";
import type { SourceProbe, SourceText } from "../types.ts";
import { webVtt } from "./captions.ts";
import { mayCarryCaptions, readClosedCaptions } from "./closed-captions.ts";
import { plainCues, plainText } from "./plain-cues.ts";
import { areCaptions, plainBy, readText, textArguments, writtenLaterSeconds } from "./text-tracks.ts";
import type { Cue } from "./transcriber.ts";

/** Of so many tracks of text at most a video keeps each. */
const mostTextTracks = 12;

/** What ffmpeg may write of one track: far more than the longest film has. */
const longestText = 16 * 1024 ** 2;

/** What became of a track of text of the source. */
export type TextTrackReport = {
	/** The index of the source's stream. Closed captions in a picture have that of the picture. */
	readonly index: number;
	readonly codec: string;
	readonly language: string | null;
	readonly title: string | null;
	/** The file that was made of it; `null` if it was left out. */
	readonly output: string | null;
};

/** The captions that a source brings along. */
export type SourceCaptions = {
	/** The first one is the transcript, unless all are forced. */
	readonly tracks: readonly CaptionTrack[];
	readonly report: readonly TextTrackReport[];
	readonly decisions: readonly Decision[];
};

/** A track that was read, with cues that can be shown. */
type ReadTrack = { readonly text: SourceText; readonly isInPicture: boolean; readonly cues: readonly Cue[] };

/** The tracks that were read, and those of them of which cues are missing. */
type ReadTexts = { readonly tracks: readonly ReadTrack[]; readonly broken: readonly ReadTrack[] };

const hasWords = (cues: readonly Cue[]): boolean => cues.some(({ text }) => /[\p{L}\p{N}]/u.test(text));

/** Reads the tracks of text, by one run of ffmpeg. */
async function readTexts(encode: Encode, probed: SourceProbe, texts: readonly SourceText[]): Promise<ReadTexts> {
	if (texts.length === 0) return { tracks: [], broken: [] };
	const { programs, plan, source, directory, signal } = encode;
	const folder = join(workFolder(directory), "captions");
	await mkdir(folder, { recursive: true });
	const { memoryBytes } = encodeLimits();
	const { stderr } = await programs.run(
		"ffmpeg",
		textArguments({ path: source, container: plan.container }, texts, folder),
		{
			...{ signal, reads: [source], writes: [folder], limits: { memoryBytes, fileBytes: longestText } },
		},
	);
	const times = {
		zeroSeconds: writtenLaterSeconds + (await firstSeconds(encode, probed)) + earlierBy(plan.frameRate, probed.video),
		durationSeconds: plan.durationSeconds,
	};
	const tracks: ReadTrack[] = [];
	for (const text of texts) {
		const cues = await plainCues(await readText(folder, text, signal), times, plainBy(text));
		tracks.push({ text, isInPicture: false, cues });
	}
	const lost = new Set([...stderr.matchAll(lostCue)].map(([, index]) => Number(index)));
	return { tracks, broken: tracks.filter(({ text }) => lost.has(text.index)) };
}

/** What ffmpeg says of each cue that it can't decode, such as one that isn't in UTF-8. */
const lostCue = /^Error while decoding stream #0:(\d+)/gm;

/** Returns the first timestamp of the source, in seconds of its own clock. */
async function firstSeconds({ programs, plan, source, signal }: Encode, probed: SourceProbe): Promise<number> {
	// Each programme of a broadcast has a clock of its own.
	const isOneOfSeveral = probed.programme !== undefined && probed.earliestStream !== null;
	const query = isOneOfSeveral
		? ["-select_streams", String(probed.earliestStream), "-show_entries", "stream=start_time", "-of", "csv=p=0"]
		: ["-show_entries", "format=start_time", "-of", "csv=p=0"];
	const args = ["-v", "error", ...query, ...guardedInput(plan.container, source)];
	const limits = probeLimits((await stat(source)).size);
	const { stdout } = await programs.run("ffprobe", args, { signal, reads: [source], limits });
	const seconds = Number.parseFloat(stdout.toString("utf8"));
	return Number.isFinite(seconds) ? seconds : 0;
}

/** Reads closed captions: those of a track of their own, or those in the picture's packets, if there are any. */
async function readCaptions(encode: Encode, probed: SourceProbe, own: SourceText | undefined): Promise<ReadTrack[]> {
	const { programs, plan, source, signal } = encode;
	const isInPicture = own === undefined;
	if (isInPicture && !(await mayCarryCaptions(source, probed.video.codec, signal))) return [];
	const place = {
		path: source,
		container: plan.container,
		index: own?.index ?? plan.picture.index,
		isInPicture,
	};
	const zeroSeconds = (await firstSeconds(encode, probed)) + earlierBy(plan.frameRate, probed.video);
	const { memoryBytes } = encodeLimits();
	const limits = { memoryBytes, fileBytes: 0 };
	const cues = await readClosedCaptions(
		(args, options) => programs.run("ffmpeg", args, { ...options, signal, reads: [source], limits }),
		place,
		zeroSeconds + plan.durationSeconds,
	);
	const text = own ?? {
		...{ index: probed.video.index, codec: "eia_608", language: null, title: null },
		...{ isDefault: false, isForced: false, tellsSounds: true },
	};
	// They are in the language of the programme.
	const language = text.language ?? plan.sounds[0]?.language ?? null;
	const times = { zeroSeconds, durationSeconds: plan.durationSeconds };
	return [
		{ text: { ...text, language, tellsSounds: true }, isInPicture, cues: await plainCues(cues, times, plainText) },
	];
}

/** Returns what a step gives, or `otherwise` if it fails: captions that can't be read cost no video. */
async function orWithout<T>({ logger, signal }: Encode, step: () => Promise<T>, otherwise: () => T): Promise<T> {
	try {
		return await step();
	} catch (error) {
		signal?.throwIfAborted();
		logger?.warn({ err: error }, "the source's captions can't be read; the video goes on without them");
		return otherwise();
	}
}

/**
 * Puts the transcript first: what is in the language of the sound, or else closed captions, or else the track that the
 * file shows by default, or its first one.
 */
function inOrder(tracks: readonly ReadTrack[], heard: string | null): ReadTrack[] {
	const rank = ({ text, isInPicture }: ReadTrack): number => {
		if (text.isForced) return 9;
		const isOfSound = heard !== null && text.language === heard;
		return (isOfSound ? 0 : isInPicture || areCaptions(text) ? 2 : 4) + (text.isDefault ? 0 : 1);
	};
	const [first] = [...tracks].filter(({ text }) => !text.isForced).sort((one, other) => rank(one) - rank(other));
	return first === undefined ? [...tracks] : [first, ...tracks.filter((track) => track !== first)];
}

/** Names a track for people. */
const named = ({ text }: ReadTrack): string =>
	[text.title, text.language].filter((word) => word !== null).join(", ") ||
	(text.codec === "eia_608" ? "closed captions" : `stream ${text.index}`);

/**
 * Writes down the text that a source brings along: its tracks of subtitles that are text, and the closed captions of
 * its picture. The first one becomes `transcript.vtt`, the others `captions/2.vtt` and so on. If nothing is streamed,
 * only the first one is kept. Text that can't be read is left out.
 * @throws the signal's reason when aborted, and an error when a file can't be written
 */
export async function readSourceCaptions(encode: Encode, probed: SourceProbe): Promise<SourceCaptions> {
	const { plan, directory } = encode;
	const texts = probed.texts ?? [];
	const heard = probed.audio?.language ?? null;
	let failed = false;
	const orNothing = <T>(step: () => Promise<T>, nothing: T): Promise<T> =>
		orWithout(encode, step, () => {
			failed = true;
			return nothing;
		});
	const { tracks: written, broken } = await orNothing(() => readTexts(encode, probed, texts.filter(isText)), {
		...{ tracks: [], broken: [] },
	});
	const captioned = await orNothing(() => readCaptions(encode, probed, texts.find(areCaptions)), []);
	const read = [...written, ...captioned];
	const ordered = inOrder(
		read.filter(({ cues }) => hasWords(cues)),
		heard,
	);
	const isStreamed = plan.outputs.hls || plan.outputs.dash;
	const kept = isStreamed ? ordered.slice(0, mostTextTracks) : ordered.slice(0, 1).filter(({ text }) => !text.isForced);
	const first = kept.find(({ text }) => !text.isForced);
	const tracks = kept.map(({ text }, n): CaptionTrack => {
		const isFirst = first !== undefined && n === 0;
		const isKnown = text.language !== null && heard !== null;
		return {
			path: isFirst ? transcriptFile : `captions/${n + (first === undefined ? 2 : 1)}.vtt`,
			...{ language: text.language, title: text.title, isHeard: false },
			isSpoken: isKnown ? text.language === heard : isFirst,
			...{ tellsSounds: text.tellsSounds, isForced: text.isForced },
		};
	});
	for (const [n, { path }] of tracks.entries()) {
		await mkdir(dirname(join(directory, path)), { recursive: true });
		await writeFile(join(directory, path), webVtt((kept[n] as ReadTrack).cues));
	}
	const outputOf = (text: SourceText): string | null =>
		!isText(text) && !areCaptions(text)
			? null
			: (tracks[kept.findIndex((track) => !track.isInPicture && track.text.index === text.index)]?.path ?? null);
	const inPicture = read.filter(({ isInPicture }) => isInPicture);
	return {
		tracks,
		report: [
			...texts.map((text) => ({ ...reported(text), output: outputOf(text) })),
			...inPicture.map((track) => ({ ...reported(track.text), output: tracks[kept.indexOf(track)]?.path ?? null })),
		],
		decisions: decisionsOf({
			texts,
			kept,
			ordered,
			broken,
			wordless: captioned.filter(({ cues }) => !hasWords(cues)),
			isStreamed,
			failed,
		}),
	};
}

const reported = ({ index, codec, language, title }: SourceText) => ({ index, codec, language, title });

function decisionsOf({
	texts,
	kept,
	ordered,
	broken,
	wordless,
	isStreamed,
	failed,
}: {
	readonly texts: readonly SourceText[];
	readonly kept: readonly ReadTrack[];
	readonly ordered: readonly ReadTrack[];
	readonly broken: readonly ReadTrack[];
	/** Closed captions without a word. */
	readonly wordless: readonly ReadTrack[];
	readonly isStreamed: boolean;
	readonly failed: boolean;
}): Decision[] {
	const about = "captions";
	const left = ordered.filter((track) => !kept.includes(track));
	const unread = texts.filter((text) => !isText(text) && !areCaptions(text));
	return [
		...(kept.length === 0
			? []
			: [{ about, decision: `kept: ${kept.map(named).join(", ")}`, because: "the source brings them along" }]),
		...(left.length === 0
			? []
			: [
					{
						about,
						decision: `left out: ${left.map(named).join(", ")}`,
						because: isStreamed
							? `a video has ${mostTextTracks} tracks at most`
							: "nobody could choose without a stream",
					},
				]),
		...(unread.length === 0
			? []
			: [
					{
						about,
						decision: `left out: ${unread.map(({ index, codec }) => `stream ${index} (${codec})`).join(", ")}`,
						because: "they are pictures, or of a kind that isn't read",
					},
				]),
		...broken.map((track) => ({
			...{ about, decision: `incomplete: ${named(track)}` },
			because: "some of its text is damaged, or isn't in UTF-8",
		})),
		...wordless.map((track) => ({
			...{ about, decision: `left out: ${named(track)}` },
			because: "there are no words in their first channel (CC1)",
		})),
		...(failed ? [{ about, decision: "left out", because: "the source's text can't be read" }] : []),
	];
}
