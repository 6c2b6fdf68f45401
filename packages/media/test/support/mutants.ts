import { repeatable } from "./hostile-files.ts";

/** How a file is damaged. Each gets the file, and numbers from 0 to 1; `at` is a place in it. */
type Damage = (bytes: Buffer, chance: () => number, at: () => number) => Buffer;

/** Half of the places are in the first two kilobytes, where the headers are. */
const placeIn = (bytes: Buffer, chance: () => number) => (): number =>
	Math.floor(chance() * (chance() < 0.5 ? Math.min(2048, bytes.length) : bytes.length));

const damages: Record<string, Damage> = {
	"flipped bits": (bytes, chance, at) => {
		for (let left = 2 ** Math.floor(chance() * 7); left > 0; left--) {
			const place = at();
			bytes[place] = (bytes[place] as number) ^ (1 << Math.floor(chance() * 8));
		}
		return bytes;
	},
	"the largest and the smallest numbers": (bytes, chance, at) => {
		const width = [1, 2, 4, 8][Math.floor(chance() * 4)] as number;
		for (let left = 4; left > 0; left--) {
			const place = at();
			bytes.fill(chance() < 0.7 ? 0xff : 0, place, Math.min(place + width, bytes.length));
		}
		return bytes;
	},
	"a cut end": (bytes, chance) => bytes.subarray(0, Math.floor(chance() * bytes.length)),
	"a piece that is missing": (bytes, chance, at) => {
		const from = at();
		return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + Math.ceil(chance() * 4096))]);
	},
	"a piece that comes twice": (bytes, chance, at) => {
		const from = at();
		const to = from + Math.ceil(chance() * 4096);
		return Buffer.concat([bytes.subarray(0, to), bytes.subarray(from)]);
	},
	"two pieces that changed places": (bytes, chance, at) => {
		const [first, second] = [at(), at()].sort((a, b) => a - b) as [number, number];
		const middle = first + Math.floor(chance() * (second - first));
		const parts = [bytes.subarray(0, first), bytes.subarray(middle, second), bytes.subarray(first, middle)];
		return Buffer.concat([...parts, bytes.subarray(second)]);
	},
};

/** Damages a copy of a file, the same way each time for the same seed. Returns it, and what was done. */
export function mutant(source: Buffer, seed: number): { bytes: Buffer; damage: string } {
	const chance = repeatable(Math.imul(seed + 1, 2_654_435_761));
	for (let turns = 8; turns > 0; turns--) chance();
	const names = Object.keys(damages);
	const damage = names[Math.floor(chance() * names.length)] as string;
	const copy = Buffer.from(source);
	return { bytes: (damages[damage] as Damage)(copy, chance, placeIn(copy, chance)), damage };
}
