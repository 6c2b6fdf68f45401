/** How much of a source's streams ffmpeg could not decode, as it said. */
export type Damage = {
	/** Packets of the picture that no picture came of. */
	readonly packets: number;
	/** Pictures of which a part could not be decoded. */
	readonly pictures: number;
	/** Packets of sound. */
	readonly sounds: number;
};

/** Counts what is damaged while a source is decoded. */
export type DamageMeter = {
	/**
	 * Returns what takes ffmpeg's standard error of one run. Several runs may decode the same pictures or sounds, which
	 * count once.
	 */
	listen(run: { readonly picture: number; readonly chunk: number | null }): (chunk: Buffer) => void;
	/** Returns what was counted so far. */
	measured(): Damage;
};

/** What ffmpeg says of each packet that it can't decode, with the numbers of the file and of the stream. */
const lostPacket = /^Error while decoding stream #0:(\d+): (?!Resource temporarily unavailable)/;
/**
 * What decoders say of a picture in which they lost their way: H.264, MPEG-1 to MPEG-4 and their relatives, JPEG. None
 * of it is said where a recording begins between two key frames, or of a picture that its last packet breaks off.
 */
const brokenPicture =
	/^\[\w+ @ 0x[0-9a-f]+\] (?:error while decoding MB|Error at MB|ac-tex damaged|mb incr damaged|slice mismatch|error y=)/;
const repeated = /^ {4}Last message repeated (\d+) times/;

/** The longest line that is read. What is behind this of a longer one is left out. */
const longestLine = 1024;

type Count = { -readonly [Name in keyof Damage]: number };

const largest = (counts: readonly Count[], name: keyof Damage): number =>
	Math.max(0, ...counts.map((count) => count[name]));

/** Makes the meter of one job. */
export function createDamageMeter(): DamageMeter {
	const runs: { readonly chunk: number | null; readonly count: Count }[] = [];
	/** The runs of the whole source, or all of its chunks: whichever counted more. */
	const ofPictures = (name: "packets" | "pictures"): number => {
		const whole = runs.filter(({ chunk }) => chunk === null).map(({ count }) => count);
		const chunks = Map.groupBy(
			runs.filter(({ chunk }) => chunk !== null),
			({ chunk }) => chunk,
		);
		const parts = [...chunks.values()].map((same) =>
			largest(
				same.map(({ count }) => count),
				name,
			),
		);
		return Math.max(
			largest(whole, name),
			parts.reduce((sum, part) => sum + part, 0),
		);
	};
	return {
		listen({ picture, chunk }) {
			const count: Count = { packets: 0, pictures: 0, sounds: 0 };
			runs.push({ chunk, count });
			let last: keyof Damage | null = null;
			const take = (line: string) => {
				const times = Number(repeated.exec(line)?.[1] ?? 0);
				if (times === 0) {
					const stream = lostPacket.exec(line)?.[1];
					if (stream !== undefined) last = Number(stream) === picture ? "packets" : "sounds";
					else last = brokenPicture.test(line) ? "pictures" : null;
				}
				if (last !== null) count[last] += Math.max(1, times);
			};
			let rest = "";
			return (piece) => {
				const lines = (rest + piece.toString("latin1")).split(/[\r\n]+/);
				rest = (lines.pop() ?? "").slice(0, longestLine);
				lines.forEach(take);
			};
		},
		measured: () => ({
			packets: ofPictures("packets"),
			pictures: ofPictures("pictures"),
			sounds: largest(
				runs.map(({ count }) => count),
				"sounds",
			),
		}),
	};
}
