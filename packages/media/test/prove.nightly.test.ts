import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { planEncode, type SourceProbe } from "../src/index.ts";
import { readTrack } from "../src/mp4/track.ts";
import { prove } from "../src/prove.ts";
import { openPrograms } from "../src/run/programs.ts";
import { made } from "./support/made.ts";
import { type Folder, job, openFolder, tools } from "./support/sources.ts";

let folder: Folder;
beforeAll(async () => {
	folder = await openFolder();
});
afterAll(() => folder.close());

it("refuses a track of either codec whose bytes are damaged, wherever they are", async () => {
	const { directory: undamaged, files, probes, source } = await made("a small clip");
	const directory = folder.outputs();
	await cp(undamaged, directory, { recursive: true });
	const plan = planEncode(probes[0] as SourceProbe, job());
	const paths = { video: () => "", audio: () => "" };
	const encode = { programs: await openPrograms(tools), source, plan, paths, directory };
	for (const name of ["h264_90", "av1_90"]) {
		const path = join(directory, `media/${name}.mp4`);
		const bytes = await readFile(path);
		const whole = await readTrack(path, name);
		const part = { files, videos: [whole], sounds: [] };
		await prove(encode, part);
		for (const { offset, length } of whole.segments) {
			for (const share of [0.3, 0.6, 0.9]) {
				const damaged = Buffer.from(bytes);
				damaged.fill(0xa5, offset + Math.floor(share * length), offset + Math.floor((share + 0.1) * length));
				await writeFile(path, damaged);
				await expect(prove(encode, part), `${name}, ${share} of a segment`).rejects.toThrow();
			}
		}
		await writeFile(path, bytes);
	}
});
