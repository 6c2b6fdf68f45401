import { expect, it } from "vitest";
import { HeartbeatRequest } from "../src/resources/job.ts";

const beat = { lock: "1c9f4b63-7d2e-4f1a-8b8c-4d6e8f0a2b3c", progress: 40 };
const encode = { renditions: ["h264_720", "av1_720"], started_seconds: 1.5, progress: 31 };
const takes = (...encodes: object[]) => HeartbeatRequest.safeParse({ ...beat, encodes }).success;

it("takes a heartbeat with encodes, running and ended, and one of a worker that tells none", () => {
	expect(HeartbeatRequest.safeParse(beat).success).toBe(true);
	expect(takes()).toBe(true);
	expect(takes(encode, { ...encode, seconds: 4 })).toBe(true);
});

it("bounds what a heartbeat tells of encodes: their number, their names and their figures", () => {
	expect(takes(...Array.from({ length: 8 }, () => encode))).toBe(true);
	expect(takes(...Array.from({ length: 9 }, () => encode))).toBe(false);
	expect(takes({ ...encode, renditions: [] })).toBe(false);
	expect(takes({ ...encode, renditions: Array.from({ length: 17 }, () => "h264_720") })).toBe(false);
	for (const name of ["<b>h264_720</b>", "h264 720", `h264_${"0".repeat(40)}`])
		expect(takes({ ...encode, renditions: [name] })).toBe(false);
	for (const wrong of [{ progress: 101 }, { progress: 0.5 }, { started_seconds: -1 }, { seconds: Infinity }])
		expect(takes({ ...encode, ...wrong })).toBe(false);
	expect(takes({ ...encode, codec: "h264" })).toBe(false);
});
