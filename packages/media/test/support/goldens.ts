import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { encodeArguments, planEncode, type SourceProbe } from "../../src/index.ts";
import { job } from "./sources.ts";

/** The folder of what is probed, planned and told to ffmpeg for each kind of source. */
export const goldens = fileURLToPath(new URL("../goldens/", import.meta.url));
/** The file of a kind of source in it. */
export const goldenOf = (kind: string): string => `${kind.replaceAll(/[^a-z0-9]+/gi, "-").toLowerCase()}.golden`;

const all = ["h264_720", "h264_1080", "av1_720", "av1_1080"];
const paths = {
	video: ({ name }: { name: string }) => `/out/${name}.mp4`,
	audio: ({ name }: { name: string }) => `/out/${name}.m4a`,
};

/** Expects the plan and ffmpeg's arguments that a kind of source is known to lead to. */
export async function expectGolden(kind: string, probe: SourceProbe): Promise<void> {
	const plan = planEncode(probe, job(all));
	expect(planEncode(structuredClone(probe), job(all)), "the plan is pure").toEqual(plan);
	const golden = { probe, plan, arguments: encodeArguments(plan, "/in/source", paths) };
	await expect(`${JSON.stringify(golden, null, "\t")}\n`).toMatchFileSnapshot(join(goldens, goldenOf(kind)));
}
