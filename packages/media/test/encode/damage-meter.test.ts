import { expect, it } from "vitest";
import { createDamageMeter } from "../../src/encode/damage-meter.ts";
import type { SourceProbe } from "../../src/index.ts";
import { damageInside } from "../../src/warnings/damage.ts";

const lost = (stream: number) => `Error while decoding stream #0:${stream}: Invalid data found when processing input\n`;
const broken = "[h264 @ 0x55d3c8e0] error while decoding MB 12 5, bytestream -7\n";
const again = (times: number) => `    Last message repeated ${times} times\n`;

/** What is counted of runs of the whole source, or of chunks by where they begin. */
function counted(...runs: readonly (readonly [chunk: number | null, said: string])[]) {
	const meter = createDamageMeter();
	for (const [chunk, said] of runs) {
		const take = meter.listen({ picture: 0, chunk });
		// In pieces, as it comes.
		for (let at = 0; at < said.length; at += 7) take(Buffer.from(said.slice(at, at + 7)));
	}
	return meter.measured();
}

it("counts packets of picture and sound that can't be decoded, and faults within pictures", () => {
	const said = [lost(0), lost(1), again(3), broken, again(2), "[aac @ 0x1] channel element 0.0 is not allocated\n"];
	expect(counted([null, said.join("")])).toEqual({ packets: 1, pictures: 3, sounds: 4 });
});

it("counts nothing that is said of recordings which begin or are joined between key frames", () => {
	const said = [
		...["mmco: unref short failure", "co located POCs unavailable", "no frame!", "non-existing PPS 0 referenced"],
		...["decode_slice_header error", "Could not find ref with POC 7", "Missing reference picture, default is 0"],
	].map((words) => `[h264 @ 0x5] ${words}\n`);
	const waiting = "Error while decoding stream #0:0: Resource temporarily unavailable\n";
	const ofAnother = "Error while decoding stream #1:0: Invalid data found when processing input\n";
	expect(counted([null, [...said, waiting, ofAnother, again(5)].join("")])).toEqual({
		...{ packets: 0, pictures: 0, sounds: 0 },
	});
});

it("counts once what several runs decode, and the chunks of a source together", () => {
	expect(counted([null, lost(0)], [null, lost(0) + lost(0)])).toMatchObject({ packets: 2 });
	expect(counted([0, broken], [50, broken], [50, broken + broken], [null, lost(1)])).toEqual({
		...{ packets: 0, pictures: 3, sounds: 1 },
	});
});

it("takes a source for damaged only if more is lost than at its ends", () => {
	const probed = (container: string, packetsBeforeKey = 0) =>
		({ container, video: { packetsBeforeKey } }) as unknown as SourceProbe;
	const of = (packets: number, pictures: number, sounds: number) => ({ packets, pictures, sounds });
	expect(damageInside(of(1, 1, 2), probed("mov"))).toBeNull();
	expect(damageInside(of(0, 0, 5), probed("mpegts"))).toBeNull();
	expect(damageInside(of(30, 0, 0), probed("matroska", 30))).toBeNull();
	expect(damageInside(of(33, 1, 0), probed("matroska", 30))).toBe(
		"3 lost pictures, 1 fault within a picture, as ffmpeg counted",
	);
	expect(damageInside(of(0, 0, 6), probed("mpegts"))).toBe("6 lost pieces of sound, as ffmpeg counted");
});
