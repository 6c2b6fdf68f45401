/** What is measured of a source's sound while it is decoded, before anything is done to it. */
export type MeasuredSound = {
	/** The highest peak, in decibels below full scale: 0 at most, -Infinity for digital silence. */
	readonly peak: number;
	/** How many samples of all channels there are, and how many of them are as high as the peak. */
	readonly samples: number;
	readonly atPeak: number;
	/** How long the peaks stay flat: 0 if each is a single sample, 6 if two in a row are usual, 9.5 if three are. */
	readonly flatness: number;
	/** In how many steps of a sixth of a second more of them came. */
	readonly rises: number;
};

/** Reads what ffmpeg prints of the sound. */
export type SoundMeter = {
	/** Takes a piece of ffmpeg's output. A line that has no end yet is to come again whole. */
	read(output: string): void;
	/** Returns what was measured last; `null` if nothing was. */
	measured(): MeasuredSound | null;
};

const measures = { Peak_level: "peak", Flat_factor: "flatness", Peak_count: "atPeak", Number_of_samples: "samples" };

/** How many samples are measured at a time. What a decoder gives in the end after less than this may be missed. */
const step = 8192;

/**
 * Returns the chains of a filter graph that measure a sound on its way to `filters`, which get it unchanged. Sixteen
 * bits have no place for peaks above full scale, so these count as flat, as they are heard. ffmpeg prints what it has
 * measured so far between its progress.
 */
export const soundMeterChains = (pad: string, filters: string): string[] => [
	`${pad}asplit[heard][measured]`,
	[
		`[measured]aformat=sample_fmts=s16p,asetnsamples=n=${step}:p=0`,
		`astats=metadata=1:measure_perchannel=none:measure_overall=${Object.keys(measures).join("+")}`,
		"ametadata=mode=print:file=pipe\\\\:1:direct=1,anullsink",
	].join(","),
	`[heard]${filters}`,
];

/** What ffmpeg prints of a step: a line with its number, and one for each of its values. */
const firstStep = "frame:0 ";
const value = /^lavfi\.astats\.Overall\.(\w+)=(\S+)$/;

/** Creates a meter that has read nothing. If a sound is decoded again, only what is read then counts. */
export function createSoundMeter(): SoundMeter {
	const values = new Map<string, number>();
	let rises = 0;
	const take = (name: string, measured: number) => {
		if (name === "Peak_count" && measured > (values.get(name) ?? measured)) rises += 1;
		values.set(name, measured);
	};
	return {
		read(output) {
			for (const line of output.split("\n").slice(0, -1)) {
				const [, name, printed] = value.exec(line) ?? [];
				if (name !== undefined) take(name, printed === "-inf" ? Number.NEGATIVE_INFINITY : Number(printed));
				else if (line.startsWith(firstStep)) {
					values.clear();
					rises = 0;
				}
			}
		},
		measured() {
			const read = Object.entries(measures).map(([printed, name]) => [name, values.get(printed)] as const);
			const isWhole = read.every(([, value]) => value !== undefined && !Number.isNaN(value));
			return isWhole ? ({ ...Object.fromEntries(read), rises } as MeasuredSound) : null;
		},
	};
}
