import { expect, it } from "vitest";
import type { Programs } from "../../src/run/programs.ts";
import { findChanges } from "../../src/source/find-changes.ts";
import type { PacketScan } from "../../src/source/scan-packets.ts";
import type { StreamAudio, StreamVideo } from "../../src/source/streams.ts";

/** Pieces of sound of a second each: when they are heard, by the file, and how many channels they have. */
async function channelsOf(pieces: readonly (readonly [seconds: number, channels: number])[], isSteady: boolean) {
	const printed = pieces.map(
		([seconds, channels]) =>
			`stream_index=1|best_effort_timestamp_time=${seconds}|nb_samples=48000|channels=${channels}\n`,
	);
	const programs: Programs = {
		async run(_program, _args, { onOutput } = {}) {
			onOutput?.(Buffer.from(printed.join("")));
			return { stdout: Buffer.alloc(0), stderr: "" };
		},
	};
	const sound = { index: 1, sampleRate: 48_000 } as StreamAudio;
	const packets = new Map([[1, { startSeconds: 0, endSeconds: 10 } as PacketScan]]);
	const looked = { container: "mpegts", video: { index: 0 } as StreamVideo, sounds: [sound], packets } as const;
	const { sounds } = await findChanges(programs, [], {}, { ...looked, isSteady });
	return sounds.get(1)?.map(({ fromSeconds, channels }) => [fromSeconds, channels]);
}

it("says when a sound that was away comes back with other channels", async () => {
	const pieces = [
		[0, 2],
		[1, 2],
		[6, 6],
	] as const;
	expect(await channelsOf(pieces, true)).toEqual([
		[0, 2],
		[6, 6],
	]);
});

it("counts samples if the clock jumps", async () => {
	const pieces = [
		[0, 2],
		[1, 2],
		[900, 6],
	] as const;
	expect(await channelsOf(pieces, false)).toEqual([
		[0, 2],
		[2, 6],
	]);
});

it.each([
	[100, 100],
	[102, 0],
])("of %i changes between HDR and SDR, follows %i", async (changes, followed) => {
	const printed = Array.from({ length: changes }, (_, n) => {
		const [matrix, transfer, primaries] = n % 2 === 0 ? ["bt2020nc", "smpte2084", "bt2020"] : Array(3).fill("bt709");
		const colour = `color_range=tv|color_space=${matrix}|color_primaries=${primaries}|color_transfer=${transfer}`;
		return `stream_index=0|best_effort_timestamp_time=${n}|width=160|height=90|sample_aspect_ratio=1:1|${colour}\n`;
	});
	const programs: Programs = {
		async run(_program, _args, { onOutput } = {}) {
			onOutput?.(Buffer.from(printed.join("")));
			return { stdout: Buffer.alloc(0), stderr: "" };
		},
	};
	const keys = printed.map((_, n) => ({ pts: n, seconds: n }));
	const video = { index: 0, width: 160, height: 90 } as StreamVideo;
	const packets = new Map([[0, { startSeconds: 0, endSeconds: changes, keys } as unknown as PacketScan]]);
	const looked = { container: "mpegts", video, sounds: [], packets, isSteady: true } as const;
	expect((await findChanges(programs, [], {}, looked)).colours).toHaveLength(followed);
});
