import { chmod, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { probe } from "../../src/index.ts";
import { clip, type Folder, openFolder, probeAgain, tools } from "../support/sources.ts";

let folder: Folder;
beforeAll(async () => {
	folder = await openFolder();
});
afterAll(() => folder.close());

describe("a good source", () => {
	it.each([
		["matroska", "a.mkv", []],
		["matroska", "a.webm", []],
		["mpegts", "a.ts", []],
		["mpeg", "a.mpg", ["-c:v", "mpeg2video", "-c:a", "mp2", "-f", "vob"]],
		["avi", "a.avi", ["-c:v", "mpeg4", "-c:a", "mp2"]],
		["flv", "a.flv", ["-ar", "44100"]],
	] as const)("is known by its bytes, whatever its name: %s", async (container, name, args) => {
		const made = await folder.source(name, { seconds: 1, args: [...args] });
		const found = await probeAgain(made);
		expect(found).toMatchObject({ container, width: 320, height: 180 });
		expect(found.video.frameRate).toBeCloseTo(25, 0);
		expect(found.durationSeconds).toBeGreaterThan(0.95);
		expect(found.durationSeconds).toBeLessThan(1.15);
		expect(found.audio).not.toBeNull();
	});
});

describe("a bad source", () => {
	it("is invalid_media if reading it takes five seconds of processor time", async () => {
		const lost = folder.path("lost-ffprobe");
		await writeFile(lost, '#!/bin/sh\ncase "$*" in *-version*) exit;; esac\nwhile :; do :; done\n');
		await chmod(lost, 0o755);
		const probing = probe(clip, { ...tools, ffprobe: lost, confinement: "off" });
		await expect(probing).rejects.toMatchObject({
			reason: "invalid_media",
			message: expect.stringContaining("takes too long to read"),
		});
	});
});
