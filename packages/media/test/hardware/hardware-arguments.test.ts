import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { encoderName } from "../../src/hardware/hardware.ts";
import { hardwareEncoder } from "../../src/hardware/hardware-arguments.ts";
import { encodeArguments, type Hardware, hardwareKinds, planEncode, type SourceProbe } from "../../src/index.ts";
import { job } from "../support/sources.ts";

const probe: SourceProbe = {
	container: "mov",
	durationSeconds: 10,
	length: { declaredSeconds: 10, foundSeconds: 10 },
	width: 1920,
	height: 1080,
	video: {
		...{ index: 0, codec: "h264", width: 1920, height: 1080, rotation: 0 },
		...{
			frameRate: 30,
			motionRate: 30,
			variableFrameRate: false,
			unevenGaps: 0,
			interlaced: false,
			pixelFormat: "yuv420p",
		},
		...{ startSeconds: 0, endSeconds: 10, packets: 300, bytesBySecond: [] },
		sampleAspectRatio: { numerator: 1, denominator: 1 },
		colour: { matrix: "bt709", transfer: "bt709", primaries: "bt709", range: "tv" },
	},
	audio: null,
	furtherAudio: [],
	earliestStream: null,
};
const plan = planEncode(probe, job(["h264_720", "h264_1080", "av1_720"]));
const paths = { video: ({ name }: { name: string }) => `/out/${name}.mp4`, audio: () => "/out/audio.m4a" };

const hardware: Record<Hardware["kind"], Hardware> = {
	vaapi: { kind: "vaapi", device: "/dev/dri/renderD128", codecs: ["h264", "av1"], deviceFiles: [] },
	qsv: { kind: "qsv", device: "/dev/dri/renderD129", codecs: ["h264", "av1"], deviceFiles: [] },
	nvenc: { kind: "nvenc", device: "1", codecs: ["h264", "av1"], deviceFiles: [] },
	videotoolbox: { kind: "videotoolbox", device: null, codecs: ["h264"], deviceFiles: [] },
};
const commandOf = (used: Hardware) => encodeArguments(plan, "/in/source", paths, { hardware: used });

/** The arguments of each output, by the encoder's name. */
function outputsOf(args: readonly string[]): [string, string[]][] {
	const begins = args.flatMap((word, n) => (word === "-map" && args[n + 2] === "-c:v" ? [n] : []));
	const outputs = begins.map((begin, n) => args.slice(begin, begins[n + 1]));
	return outputs
		.map((output) => [output[3] as string, output] as [string, string[]])
		.filter(([name]) => name !== "wrapped_avframe");
}
const optionOf = (args: readonly string[], option: string) => args[args.indexOf(option) + 1];

describe.each(hardwareKinds)("the arguments for %s", (kind) => {
	it("are those that were reviewed", async () => {
		const lines = commandOf(hardware[kind]).map((word) => (word.startsWith("-") ? `\n${word}` : ` ${word}`));
		await expect(`ffmpeg${lines.join("")}\n`).toMatchFileSnapshot(`goldens/${kind}.golden`);
	});

	it("ask for closed groups of two seconds, for no B-frames, and for an average and a cap", () => {
		const outputs = outputsOf(commandOf(hardware[kind]));
		expect(outputs.map(([name]) => name)).toEqual([
			...[`h264_${kind}`, `h264_${kind}`],
			kind === "videotoolbox" ? "libsvtav1" : `av1_${kind}`,
		]);
		for (const [n, [name, args]] of outputs.entries()) {
			expect(optionOf(args, "-g")).toBe("60");
			expect(optionOf(args, "-maxrate")).toBe(String(plan.renditions[n]?.maxBitrate));
			if (name === "libsvtav1") continue;
			expect(optionOf(args, "-bf")).toBe("0");
			expect(optionOf(args, "-flags:v")).toContain("+cgop");
			expect(Number(optionOf(args, "-b:v"))).toBeLessThan(Number(optionOf(args, "-maxrate")));
		}
	});

	it("bring pictures of a constant rate to the device that was asked for", () => {
		const args = commandOf(hardware[kind]);
		const graph = optionOf(args, "-filter_complex") as string;
		expect(graph).toContain("fps=30/1");
		const isUploaded = kind === "vaapi" || kind === "qsv";
		expect(graph.match(/hwupload/g)?.length ?? 0).toBe(isUploaded ? 3 : 0);
		expect(args.filter((word) => word === "-init_hw_device")).toHaveLength(
			kind === "qsv" ? 2 : kind === "vaapi" ? 1 : 0,
		);
		const { device } = hardware[kind];
		if (device !== null) expect(args.filter((word) => word === device || word.endsWith(`:${device}`))).not.toEqual([]);
		for (const [, output] of outputsOf(args)) expect(graph).toContain(output[1] as string);
	});
});

it("leave what the hardware can't encode to software, and open no device for it", () => {
	const sound = { ...plan, renditions: plan.renditions.filter(({ codec }) => codec === "av1") };
	const only = { ...hardware.vaapi, codecs: ["h264"] as const };
	expect(encodeArguments(sound, "/in/source", paths, { hardware: only })).toEqual(
		encodeArguments(sound, "/in/source", paths),
	);
});

it("name only options that this ffmpeg's encoders have, for those that it was built with", async () => {
	const run = promisify(execFile);
	const known = new Set<string>();
	const { stdout: all } = await run("ffmpeg", ["-hide_banner", "-encoders"]);
	for (const kind of hardwareKinds) {
		for (const codec of ["h264", "av1"] as const) {
			if (!all.includes(` ${encoderName(kind, codec)} `)) continue;
			const { stdout } = await run("ffmpeg", ["-hide_banner", "-h", `encoder=${encoderName(kind, codec)}`]);
			known.add(encoderName(kind, codec));
			const own = hardwareEncoder({ kind, device: "1" }, { codec, maxBitrate: 1_000_000 }, 60)
				.filter((word) => /^-[a-z]/.test(word))
				.map((word) => word.replace(/:v$/, ""))
				.filter((word) => !["-c", "-b", "-maxrate", "-bufsize", "-g", "-bf", "-flags"].includes(word));
			for (const option of own) expect(stdout).toMatch(new RegExp(`^  ${option} `, "m"));
		}
	}
	expect(known.size, "this ffmpeg was built without any hardware encoder").toBeGreaterThan(0);
});
