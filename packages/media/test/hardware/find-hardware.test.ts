import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FindHardwareOptions, findHardware } from "../../src/index.ts";
import { type Fault, pretendHardware } from "../support/pretended-hardware.ts";
import { type Folder, openFolder, tools } from "../support/sources.ts";

let folder: Folder;
let made = 0;
beforeAll(async () => {
	folder = await openFolder();
});
afterAll(() => folder.close());

/** What is found, and what the start says of it. */
async function find(options: FindHardwareOptions, fault?: Fault) {
	const ffmpeg = fault === undefined ? tools.ffmpeg : await pretendHardware(folder.path(`ffmpeg-${++made}`), fault);
	const said: [string, object, string][] = [];
	const log = (level: string) => (fields: object, message: string) => void said.push([level, fields, message]);
	const logger = { debug() {}, info: log("info"), warn: log("warn"), error: log("error") };
	return {
		...(await findHardware(
			{ ...tools, ffmpeg, confinement: fault === undefined ? "preferred" : "off" },
			{ ...options, logger },
		)),
		said,
	};
}
/** The reason why `h264_vaapi` is refused. */
const reasonOf = async (fault: Fault) =>
	(await find({ choice: "vaapi" }, fault)).refused.find(({ encoder }) => encoder === "h264_vaapi")?.because;

describe("hardware encoders", () => {
	it("are not looked for unless they are asked for", async () => {
		const { hardware, refused, said } = await find({ choice: "software" });
		expect([hardware, refused, said]).toEqual([undefined, [], []]);
	});

	it("that are missing leave everything to software, which the start says with each reason", async () => {
		const { hardware, refused, said } = await find({ choice: "auto" });
		expect(hardware).toBeUndefined();
		for (const kind of ["videotoolbox", "nvenc", "qsv", "vaapi"])
			expect(refused.filter(({ encoder }) => encoder.startsWith(`h264_${kind}`))).not.toEqual([]);
		for (const { because } of refused) expect(because).toMatch(/^(this ffmpeg doesn't have it|ffmpeg .*: .+)$/);
		expect(said).toEqual([
			["warn", { choice: "auto", refused }, "no hardware encoder works here: everything is encoded in software"],
		]);
	});

	it("that work are used, each for its codecs, which the start says", async () => {
		const device = "/dev/dri/renderD200";
		const { hardware, refused, said } = await find({ choice: "vaapi", device }, {});
		expect(hardware).toEqual({ kind: "vaapi", device, codecs: ["h264"], deviceFiles: [] });
		expect(refused.map(({ encoder }) => encoder)).toEqual([`av1_vaapi on ${device}`]);
		expect(said).toEqual([["info", { hardware, refused }, "hardware encoders are used"]]);
	});

	it("are refused if their packets are not as a rendition's must be", async () => {
		expect(await reasonOf({ options: "-frames:v 12" })).toBe("it made 12 of 30 frames");
		expect(await reasonOf({ options: "-force_key_frames 'expr:gte(n,n_forced*10)'" })).toBe(
			"its key frames are 0, 10, 20, not every 15th",
		);
		// The last option counts: B-frames in spite of -bf 0.
		expect(
			await reasonOf({
				instead: `set -- "$@"\nexec sh -c 'exec ffmpeg "$@"' sh $(printf '%s\\n' "$@" | sed 's/^0$/2/')`,
			}),
		).toBe("it shows frames in another order than it makes them");
	});
});
