import { expect, it } from "vitest";
import { ProgramError } from "../../src/errors.ts";
import type { Programs } from "../../src/run/programs.ts";
import { readHeaders } from "../../src/source/probe.ts";
import { parseStreams } from "../../src/source/streams.ts";

const picture = (index: number, rest: object = {}) => ({
	...{ index, codec_type: "video", codec_name: "h264", width: 160, height: 90, pix_fmt: "yuv420p" },
	...rest,
});
const sound = (index: number, channels = 2) => ({ index, codec_type: "audio", codec_name: "aac", channels });
const parse = (streams: readonly object[], programs: readonly object[] = []) =>
	parseStreams(JSON.stringify({ streams, programs }), "", "mpegts");
const undecoded = { width: 0, height: 0, pix_fmt: undefined };

it("knows that nothing is known of a picture or a sound whose first packet comes late", () => {
	expect(parse([picture(0), sound(1)]).areUnknown).toBe(false);
	expect(parse([picture(0, undecoded), sound(1)]).areUnknown).toBe(true);
	expect(parse([picture(0), sound(1, 0)]).areUnknown).toBe(true);
	expect(parse([picture(0), { index: 1, codec_type: "audio" }]).areUnknown, "an unknown codec").toBe(false);
	const cover = picture(1, { ...undecoded, disposition: { attached_pic: 1 } });
	expect(parse([picture(0), cover]).areUnknown, "a cover, which is never shown").toBe(false);
});

it("takes the first programme of which something can be seen", () => {
	const programs = [
		{ program_num: 1, tags: { service_name: "Off air" }, streams: [{ index: 0 }, { index: 1 }] },
		{ program_num: 2, streams: [{ index: 2 }, { index: 3 }] },
	];
	const found = parse([picture(0, undecoded), sound(1), picture(2), sound(3)], programs);
	expect(found.videos.map(({ index }) => index)).toEqual([2]);
	expect(found.sounds.map(({ index }) => index)).toEqual([3]);
	expect(found.programme).toEqual({ name: "programme 2", others: ["Off air"] });
	expect(found.areUnknown).toBe(false);
});

it("finds the mark of transparency in capitals, as a copy of the stream has it", () => {
	const vp9 = (tags: object) => parse([picture(0, { codec_name: "vp9", tags })]).videos[0]?.pixelFormat;
	expect(vp9({ alpha_mode: "1" })).toBe("yuva420p");
	expect(vp9({ ALPHA_MODE: "1" })).toBe("yuva420p");
	expect(vp9({ alpha_mode: "0" })).toBe("yuv420p");
});

it("says which of several pictures have colours of Dolby Vision alone", () => {
	const dolby = { side_data_list: [{ dv_profile: 5, dv_bl_signal_compatibility_id: 0 }] };
	expect(parse([picture(0), picture(1, dolby)]).dolbyAlone).toEqual([1]);
});

it("keeps what the beginning says if reading farther takes too long", async () => {
	let reads = 0;
	const programs: Programs = {
		async run(program, _args, { onOutput } = {}) {
			reads += 1;
			if (reads > 1) throw new ProgramError(program, { code: null, killedBy: "SIGXCPU", stderr: "" });
			onOutput?.(Buffer.from(JSON.stringify({ streams: [picture(0), sound(1, 0)] })));
			return { stdout: Buffer.alloc(0), stderr: "" };
		},
	};
	const { streams } = await readHeaders(programs, { container: "mpegts", input: [] }, {});
	expect(reads).toBe(2);
	expect(streams.videos).toHaveLength(1);
});
