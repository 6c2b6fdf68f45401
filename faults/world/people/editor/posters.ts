import { crc32, deflateSync } from "node:zlib";
import { type Pictures, plainPicture } from "../../pictures.ts";

type Colour = readonly [red: number, green: number, blue: number];
/** What a video's poster is to be: a moment, a picture, or the one that was chosen automatically. */
export type Poster =
	| { readonly at_seconds: number; readonly preview: boolean }
	| { readonly picture: Buffer; readonly colour: Colour }
	| "automatic";

const colours: readonly Colour[] = [
	[220, 40, 40],
	[40, 200, 40],
	[40, 40, 220],
];
/** Pictures a second of all clips. */
const rate = 10;

/** Returns what the edit of this number asks for. The numbers go up to 8, so that the shortest clip has the moments. */
export function posterOf(number: number): Poster {
	const turn = Math.floor(number / 3);
	if (number % 3 === 0) return "automatic";
	if (number % 3 === 1) return { at_seconds: (2 + 4 * turn) / rate, preview: turn % 2 === 1 };
	const colour = colours[turn % colours.length] ?? [0, 0, 0];
	return { colour, picture: pngOf(colour) };
}

/** Returns the picture that viewers see once it is made. The video is one of the clips. */
export function pictureOf(
	number: number,
	seconds: number,
	{ short, long }: { short: Pictures; long: Pictures },
): Buffer {
	const poster = posterOf(number);
	if (poster === "automatic") throw new Error("Nobody knows this picture beforehand.");
	if ("colour" in poster) return plainPicture(poster.colour);
	const shown = (isLong(seconds) ? long : short)[Math.round(poster.at_seconds * rate)];
	if (shown === undefined) throw new Error("The clip is shorter.");
	return shown;
}

export const isLong = (seconds: number): boolean => seconds > 10;

/** Writes a small PNG of one colour. */
function pngOf(colour: Colour): Buffer {
	const [width, height] = [64, 36];
	const chunk = (name: string, data: Buffer): Buffer => {
		const named = Buffer.concat([Buffer.from(name, "latin1"), data]);
		const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
		length.writeUInt32BE(data.length);
		sum.writeUInt32BE(crc32(named));
		return Buffer.concat([length, named, sum]);
	};
	const head = Buffer.from([0, 0, 0, width, 0, 0, 0, height, 8, 2, 0, 0, 0]);
	const row = Buffer.concat([Buffer.of(0), Buffer.alloc(width * 3, Uint8Array.from(colour))]);
	const rows = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
	const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
	return Buffer.concat([signature, chunk("IHDR", head), chunk("IDAT", rows), chunk("IEND", Buffer.of())]);
}
