import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { quietStretches } from "../../src/transcript/quiet.ts";

let folder: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "reelmill-quiet-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** Writes seconds of a tone, each of a height of its own, in 16 bits. */
async function tones(name: string, ...parts: readonly (readonly [seconds: number, height: number])[]): Promise<string> {
	const samples = parts.flatMap(([seconds, height]) =>
		Array.from({ length: seconds * 16_000 }, (_, n) => Math.round(height * Math.cos(n / 3))),
	);
	const wav = join(folder, name);
	await writeFile(wav, Buffer.concat([Buffer.alloc(44), Buffer.from(Int16Array.from(samples).buffer)]));
	return wav;
}

it("finds what is 40 dB below the loud parts for a second or more", async () => {
	const wav = await tones("speech.wav", [2, 40], [3, 8000], [0.5, 0], [3, 8000], [1.5, 70], [2, 4000], [4, 0]);
	expect(await quietStretches(wav)).toEqual([
		{ startSeconds: 0, endSeconds: 2 },
		{ startSeconds: 8.5, endSeconds: 10 },
		{ startSeconds: 12, endSeconds: 16 },
	]);
});

it("finds none in a recording that is noise all over, however soft", async () => {
	expect(await quietStretches(await tones("noise.wav", [10, 50]))).toEqual([]);
});

it("says that a recording is silence", async () => {
	expect(await quietStretches(await tones("silence.wav", [5, 32]))).toBeNull();
	expect(await quietStretches(await tones("empty.wav"))).toBeNull();
});

it("ends with the signal's reason", async () => {
	const reason = new Error("enough");
	await expect(quietStretches(await tones("any.wav", [1, 9]), AbortSignal.abort(reason))).rejects.toThrow();
});
