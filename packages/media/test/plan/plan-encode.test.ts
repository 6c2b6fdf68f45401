import { describe, expect, it } from "vitest";
import {
	type ContentKind,
	type EncodePlan,
	encodeArguments,
	MediaError,
	planEncode,
	type SourceAudio,
	type SourceProbe,
	type SourceVideo,
	type Speed,
} from "../../src/index.ts";
import { job } from "../support/sources.ts";

const soundOf = (index: number, of: Partial<SourceAudio> = {}): SourceAudio => ({
	...{ index, codec: "aac", channels: 2, sampleRate: 44_100, language: null, title: null },
	...{ startSeconds: 0, endSeconds: 10 },
	...of,
});
const probeOf = (
	width: number,
	height: number,
	video: Partial<SourceVideo> = {},
	rest: Partial<SourceProbe> = {},
): SourceProbe => ({
	container: "mov",
	durationSeconds: 10,
	length: { declaredSeconds: 10, foundSeconds: 10 },
	width,
	height,
	video: {
		...{
			index: 0,
			codec: "h264",
			width,
			height,
			rotation: 0 as const,
			sampleAspectRatio: { numerator: 1, denominator: 1 },
		},
		...{
			frameRate: video.frameRate ?? 30,
			motionRate: video.frameRate ?? 30,
			variableFrameRate: false,
			unevenGaps: 0,
			interlaced: false,
			pixelFormat: "yuv420p",
			startSeconds: 0,
			endSeconds: 10,
			packets: 300,
			bytesBySecond: [],
		},
		colour: { matrix: "bt709", transfer: "bt709", primaries: "bt709", range: "tv" },
		...video,
	},
	audio: soundOf(1),
	furtherAudio: [],
	earliestStream: null,
	...rest,
});
const all = ["h264_720", "h264_1080", "av1_720", "av1_1080"];
const sizes = (probe: SourceProbe, names = all) =>
	planEncode(probe, job(names)).renditions.map(({ name, width, height }) => `${name} ${width}x${height}`);
const decisions = (probe: SourceProbe) =>
	planEncode(probe, job()).report.decisions.map(({ about, decision }) => `${about}: ${decision}`);
const filters = (probe: SourceProbe) => planEncode(probe, job()).picture.filters;
const paths = {
	video: ({ name }: { name: string }) => `/out/${name}.mp4`,
	audio: ({ name }: { name: string }) => `/out/${name}.m4a`,
};

describe("pictures that change their size midway", () => {
	const square = { numerator: 1, denominator: 1 };
	const shape = (fromSeconds: number, width: number, height: number) => ({
		...{ fromSeconds, width, height, sampleAspectRatio: square },
	});
	const growing = { shapes: [shape(0, 320, 180), shape(1, 1280, 720)] };
	const turning = { shapes: [shape(0, 640, 480), shape(2, 1280, 720)] };

	it("are fitted, and the decision says when they change", () => {
		const { report, picture } = planEncode(probeOf(1280, 720, turning), job());
		expect(picture.filters.filter((filter) => filter.startsWith("pad="))).toHaveLength(1);
		expect(picture).not.toHaveProperty("unturned");
		expect(report.decisions).toContainEqual({
			about: "picture size",
			decision: "as of 1280x720; other shapes have bars",
			because: "it changes midway: 640x480, 1280x720 from 2.0 s",
		});
		expect(decisions(probeOf(1280, 720, growing))).toContain("picture size: as of 1280x720");
	});

	it("are turned and mirrored behind that, as ffmpeg turns them before anything else", () => {
		const sideways = planEncode(probeOf(720, 1280, { ...turning, width: 1280, height: 720, rotation: 90 }), job());
		expect(sideways.picture.unturned).toBe(true);
		const at = (name: string) => sideways.picture.filters.findIndex((filter) => filter.startsWith(name));
		expect(at("pad=1280:720:")).toBe(at("transpose=clock") - 1);
		const upended = filters(probeOf(1280, 720, { ...turning, matrix: "upended" }));
		expect(upended.slice(-4)).toEqual(["vflip", "copy", "format=yuv420p", "setsar=1"]);
		expect(upended[0]).not.toBe("copy");
	});

	it("are named up to eight times", () => {
		const shapes = Array.from({ length: 12 }, (_, n) => shape(n, 1280 - 2 * n, 720));
		const { because } = planEncode(probeOf(1280, 720, { shapes }), job()).report.decisions.find(
			({ about }) => about === "picture size",
		) as { because: string };
		expect(because).toMatch(/1266x720 from 7\.0 s, and 4 more$/);
	});

	it("cost as much of the budget as the largest of them", () => {
		const large = { packets: 3000, shapes: [shape(0, 1280, 720), shape(9, 7680, 4320)] };
		expect(() => planEncode(probeOf(1280, 720, large), job())).toThrow("3000 pictures of 7680x4320");
		expect(() => planEncode(probeOf(1280, 720, { packets: 3000 }), job())).not.toThrow();
	});
});

describe("the ladder", () => {
	it.each([
		[
			"1080p",
			probeOf(1920, 1080),
			["h264_720 1280x720", "h264_1080 1920x1080", "av1_720 1280x720", "av1_1080 1920x1080"],
		],
		["4K", probeOf(3840, 2160), ["h264_720 1280x720", "h264_1080 1920x1080", "av1_720 1280x720", "av1_1080 1920x1080"]],
		["720p", probeOf(1280, 720), ["h264_720 1280x720", "av1_720 1280x720"]],
		[
			"a portrait phone",
			probeOf(1080, 1920),
			["h264_720 720x1280", "h264_1080 1080x1920", "av1_720 720x1280", "av1_1080 1080x1920"],
		],
		["4:3", probeOf(1440, 1080), ["h264_720 960x720", "h264_1080 1440x1080", "av1_720 960x720", "av1_1080 1440x1080"]],
		[
			"a wide film",
			probeOf(1920, 804),
			["h264_720 1280x536", "h264_1080 1920x804", "av1_720 1280x536", "av1_1080 1920x804"],
		],
		["a square", probeOf(1000, 1000), ["h264_720 720x720", "av1_720 720x720"]],
		["less than the smallest rung", probeOf(640, 360), ["h264_360 640x360", "av1_360 640x360"]],
		["an odd size", probeOf(853, 481), ["h264_480 852x480", "av1_480 852x480"]],
		[
			"a strip of which every AV1 rung would be too narrow",
			probeOf(4000, 100),
			["h264_720 1280x32", "h264_1080 1920x48", "av1_100 4000x100"],
		],
		["less than AV1 can do", probeOf(96, 48), ["h264_48 96x48"]],
	])("for %s holds nothing larger than the source, in even sizes", (_, probe, expected) => {
		expect(sizes(probe)).toEqual(expected);
	});

	it("gives a codec its own size if only rungs above the source were asked for", () => {
		expect(sizes(probeOf(1280, 720), ["h264_1080", "av1_720"])).toEqual(["h264_720 1280x720", "av1_720 1280x720"]);
	});

	it("adds an H.264 encode for web.mp4 that is not delivered if only AV1 is wanted", () => {
		const { renditions } = planEncode(probeOf(1920, 1080), job(["av1_1080"]));
		expect(renditions.map(({ name, delivered }) => [name, delivered])).toEqual([
			["av1_1080", true],
			["h264_720", false],
		]);
	});

	it("encodes only what web.mp4 needs if neither HLS nor DASH is wanted", () => {
		const { renditions } = planEncode(probeOf(1920, 1080), job(all, { hls: false }));
		expect(renditions.map(({ name, delivered }) => [name, delivered])).toEqual([["h264_1080", false]]);
	});

	it("still delivers one rendition if only AV1 was wanted and the picture is too small for its encoder", () => {
		expect(planEncode(probeOf(60, 60), job(["av1_720"], { mp4_fallback: false })).renditions).toMatchObject([
			{ name: "h264_60", delivered: true },
		]);
	});

	it("says what it skipped, and why", () => {
		expect(planEncode(probeOf(1280, 720), job(all)).report.decisions).toEqual([
			{ about: "h264_1080", decision: "skipped", because: "it would be larger than the source of 1280x720" },
			{ about: "av1_1080", decision: "skipped", because: "it would be larger than the source of 1280x720" },
		]);
	});
});

describe("speed", () => {
	it("moves both codecs to faster presets, and says so", () => {
		const settings = ({ renditions }: EncodePlan) => renditions.map(({ name, preset }) => `${name} ${preset}`);
		expect(settings(planEncode(probeOf(1920, 1080), job(all)))).toEqual([
			"h264_720 veryfast",
			"h264_1080 veryfast",
			"av1_720 10",
			"av1_1080 10",
		]);
		const plan = planEncode(probeOf(1920, 1080), { ...job(all), speed: "fast" });
		expect(settings(plan)).toEqual(["h264_720 superfast", "h264_1080 superfast", "av1_720 12", "av1_1080 12"]);
		expect(plan.report.decisions).toEqual([
			{ about: "presets", decision: "H.264 superfast, AV1 12", because: "the job asks for speed" },
		]);
	});

	it("names the presets of what is made, and is balanced if it isn't asked for", () => {
		const { report } = planEncode(probeOf(1920, 1080), { ...job(["h264_720"]), speed: "fast" });
		expect(report.decisions.map(({ decision }) => decision)).toEqual(["H.264 superfast"]);
		expect(planEncode(probeOf(1920, 1080), { ...job(all), speed: "balanced" })).toEqual(
			planEncode(probeOf(1920, 1080), job(all)),
		);
	});

	it("counts also for the rendition that only web.mp4 needs", () => {
		const { renditions } = planEncode(probeOf(1920, 1080), { ...job(["av1_1080"]), speed: "fast" });
		expect(renditions.map(({ name, preset }) => `${name} ${preset}`)).toEqual(["av1_1080 12", "h264_720 superfast"]);
	});
});

describe("what the source shows", () => {
	const because = "of its looks";
	const plan = (kind: ContentKind, speed: Speed = "balanced") =>
		planEncode({ ...probeOf(1920, 1080), content: { kind, because } }, { ...job(all), speed });
	const settings = (kind: ContentKind, speed?: Speed) => {
		const renditions = plan(kind, speed).renditions.filter(({ name }) => name.endsWith("_720"));
		return renditions.map(({ codec, crf, screenTools }) => `${codec} ${crf}${screenTools ? " with tools" : ""}`);
	};

	it("sets the quality of each codec, and AV1's tools", () => {
		expect(settings("filmed")).toEqual(["h264 24", "av1 35"]);
		expect(settings("screen")).toEqual(["h264 24", "av1 52 with tools"]);
		expect(settings("noise")).toEqual(["h264 28", "av1 51"]);
		expect(settings("filmed", "fast")).toEqual(["h264 24", "av1 31"]);
		expect(settings("screen", "fast")).toEqual(["h264 24", "av1 41"]);
	});

	it("is told to the encoders", () => {
		const told = (kind: ContentKind) => {
			const args = encodeArguments(plan(kind), "/in", paths);
			return args.filter((_, n) => args[n - 1] === "-svtav1-params");
		};
		expect(told("screen")).toEqual(["scm=1", "scm=1"]);
		expect(told("filmed")).toEqual(["scm=0", "scm=0"]);
	});

	it("is reported with its reason, unless nothing follows from it", () => {
		const reported = (kind: ContentKind) => plan(kind).report.decisions.filter(({ about }) => about === "content");
		expect(reported("filmed")).toEqual([]);
		for (const kind of ["screen", "noise"] as const)
			expect(reported(kind)).toEqual([{ about: "content", decision: expect.stringContaining(kind), because }]);
	});

	it("changes nothing if nobody looked", () => {
		const { renditions } = planEncode(probeOf(1920, 1080), job(all));
		expect(renditions).toEqual(plan("filmed").renditions);
	});
});

describe("the scalers", () => {
	const graph = (names: string[]) => {
		const args = encodeArguments(planEncode(probeOf(1920, 1080), job(names)), "/in", paths);
		// Behind the two chains that count what is decoded, and before the sound's.
		return (args[args.indexOf("-filter_complex") + 1] ?? "").split(";").slice(2, -1);
	};

	it("stand in one chain: each size is scaled once, whatever is encoded of it", () => {
		expect(graph(all)).toEqual([
			expect.stringMatching(/setsar=1,split=3\[v1\]\[v3\]\[s1\]$/),
			"[s1]zscale=1280:720:filter=bicubic,setsar=1,split=2[v0][v2]",
		]);
	});

	it("are none if there is one size", () => {
		expect(graph(["h264_1080"])).toEqual([expect.stringMatching(/setsar=1,null\[v0\]$/)]);
	});
});

describe("the frame rate", () => {
	it.each([
		[30, "30/1", 60, "0"],
		[29.97, "30000/1001", 60, "0"],
		[23.976, "24000/1001", 48, "0"],
		[25.003, "25/1", 50, "0"],
		[59.94, "60000/1001", 120, "0"],
		[120, "60/1", 120, "-0.004167"],
		[100, "50/1", 100, "-0.005"],
		[240, "60/1", 120, "-0.00625"],
		[72, "36/1", 72, "-0.006944"],
		[26.777, "26777/1000", 54, "0"],
		[14.6, "73/5", 29, "0"],
		[1, "10/1", 20, "0"],
	])("of %d becomes %s, with a key frame every %d frames", (average, rate, gop, start) => {
		const plan = planEncode(probeOf(1280, 720, { frameRate: average }), job());
		expect(`${plan.frameRate.numerator}/${plan.frameRate.denominator}`).toBe(rate);
		expect(plan.gop).toBe(gop);
		expect(plan.picture.filters).toContain(`fps=${rate}:start_time=${start}`);
	});

	it("is told in the report if the source's is uneven", () => {
		expect(decisions(probeOf(1280, 720, { frameRate: 28.7, variableFrameRate: true }))).toEqual([
			"frame rate: 287/10, constant",
		]);
	});

	it("is told with the rate of the fast stretches if the source stands still for long", () => {
		const video = { frameRate: 12.5, motionRate: 60, variableFrameRate: true };
		expect(planEncode(probeOf(1280, 720, video), job()).report.decisions).toEqual([
			{
				about: "frame rate",
				decision: "60/1, constant",
				because: "the source has 12.500 frames a second on average, unevenly, and 60.000 where it moves",
			},
		]);
	});

	it("above 31 frames a second raises the bit rate's cap by half", () => {
		const fast = probeOf(1280, 720, { frameRate: 12, motionRate: 50 });
		expect(planEncode(fast, job()).renditions[0]?.maxBitrate).toBe(4_500_000);
		const onlyAv1 = planEncode(fast, job(["av1_720"])).renditions;
		expect(onlyAv1.map(({ name, maxBitrate }) => [name, maxBitrate])).toEqual([
			["av1_720", 3_000_000],
			["h264_720", 4_500_000],
		]);
	});
});

describe("the picture", () => {
	it("is tone-mapped if it is HDR", () => {
		const colour = { matrix: "bt2020nc", transfer: "arib-std-b67", primaries: "bt2020", range: "tv" };
		const probe = probeOf(1920, 1080, { colour, pixelFormat: "yuv420p10le" });
		expect(decisions(probe)).toContain("dynamic range: tone-mapped to SDR");
		expect(filters(probe)).toContain("tonemap=mobius:desat=0");
	});

	it("is SDR from the beginning if its first pictures are, however late they come", () => {
		const bt709 = { matrix: "bt709", transfer: "bt709", primaries: "bt709", range: "tv" };
		const pq = { matrix: "bt2020nc", transfer: "smpte2084", primaries: "bt2020", range: "tv" };
		const runs = [bt709, pq, bt709].map((colour, n) => ({ fromSeconds: 0.52 + 2 * n, colour }));
		const found = filters(probeOf(1280, 720, { startSeconds: 0.52, frameRate: 25, colourRuns: runs })).join();
		expect(found).toContain("enable='lt(t,2.5)+gte(t,4.5)'");
	});

	it("keeps its shape if it is transparent, and turned by its source", () => {
		const scalers = ([0, 90, 180, 270] as const).map((rotation) => {
			const found = filters(probeOf(1280, 720, { rotation, pixelFormat: "yuva444p10le" }));
			return found[found.indexOf("premultiply=inplace=1") - 1];
		});
		expect(scalers).toEqual(["scale=1280:720", "scale=720:1280", "scale=1280:720", "scale=720:1280"]);
	});

	it("is deinterlaced before its rate is changed", () => {
		const found = filters(probeOf(1280, 720, { interlaced: true }));
		expect(found[0]).toMatch(/^bwdif/);
		expect(found[1]).toMatch(/^fps/);
	});

	it.each([
		[25, "50/1"],
		[30_000 / 1001, "60000/1001"],
		[24_000 / 1001, "48000/1001"],
		[50, "50/1"],
	])(
		"of %d interlaced frames a second has %s: one for each field, if the packets don't hold fields",
		(frameRate, rate) => {
			expect(filters(probeOf(1280, 720, { interlaced: true, frameRate })).join()).toContain(
				`bwdif=mode=send_field:deint=interlaced,fps=${rate}:`,
			);
		},
	);

	it.each([
		["smpte170m", 1280, 720, "smpte170m"],
		["unknown", 1280, 720, "bt709"],
		["unknown", 640, 480, "smpte170m"],
	])("with the colour matrix %s at %dx%d is read as %s", (matrix, width, height, expected) => {
		const probe = probeOf(width, height, {
			colour: { matrix, transfer: "unknown", primaries: "unknown", range: "unknown" },
		});
		expect(filters(probe).join()).toMatch(new RegExp(`(in_color_matrix|min)=${expected}:r?(in_range|in)=tv`));
	});

	it.each([
		[0.013, "0.013", 624, 250],
		[0.053, "0.013", 624, 250],
		[0.0394, null, 0, 250],
		[0.0806, null, 0, 250],
		[-0.02, null, 0, 250],
	])(
		"that begins %d s after the sound begins with a frame, and the sound keeps its distance",
		(startSeconds, cut, samples, frames) => {
			const plan = planEncode(probeOf(1280, 720, { frameRate: 25, startSeconds }), job());
			expect(plan.picture.filters[0]).toBe(cut === null ? "fps=25/1:start_time=0" : `setpts=PTS-round(${cut}/TB)`);
			expect(plan.frames).toBe(frames);
			expect(plan.durationSeconds).toBeCloseTo(10 - samples / 48_000, 6);
			expect(plan.sounds[0]?.filters).toContain(`aresample=48000:async=1:first_pts=${samples}`);
			expect(plan.sounds[0]?.filters.includes(`asetpts=PTS-${samples}`)).toBe(samples > 0);
			expect(plan.report.decisions.some(({ about }) => about === "beginning")).toBe(samples > 0);
		},
	);

	it("has exactly the frames of the plan", () => {
		expect(filters(probeOf(1280, 720))).toContain("trim=end_frame=300");
	});

	it("is held if the sound goes on longer", () => {
		expect(filters(probeOf(1280, 720, { endSeconds: 8.5 }))).toContain("tpad=stop_mode=clone:stop_duration=2.000000");
	});
});

describe("the plan", () => {
	it("has no sound if the source has none", () => {
		const plan = planEncode(probeOf(1280, 720, {}, { audio: null }), job());
		expect(plan.sounds).toEqual([]);
		expect(encodeArguments(plan, "/in", paths).join(" ")).not.toContain("aac");
	});

	it("has no sound if the sound is shorter than the encoder's own samples", () => {
		const plan = planEncode(probeOf(1280, 720, {}, { durationSeconds: 0.02 }), job());
		expect(plan.sounds).toEqual([]);
		expect(plan.report.decisions).toContainEqual({
			about: "sound",
			decision: "none",
			because: "the source is too short for any",
		});
	});

	it("allows one second over the limit, and no more", () => {
		expect(() => planEncode(probeOf(1280, 720, {}, { durationSeconds: 61 }), job(all, {}, 60))).not.toThrow();
		const over = () => planEncode(probeOf(1280, 720, {}, { durationSeconds: 61.1 }), job(all, {}, 60));
		expect(over).toThrow(MediaError);
		expect(over).toThrow(
			expect.objectContaining({
				reason: "duration_too_long",
				message: "The video is 61.1 seconds long; at most 60 are allowed.",
			}),
		);
	});
});
