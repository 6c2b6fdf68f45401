import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ReelmillError } from "@reelmill/client";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { tusServer } from "../../client/test/support/tus-server.ts";
import { fromBackEnd } from "../src/back-end.ts";
import { createUpload, durationOf, type UploadSource } from "../src/upload.ts";
import { readUploadSource } from "../src/upload-source.ts";

let folder: string;
const films: Record<string, File> = {};
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "reelmill-source-"));
	const run = (...parts: string[]) => promisify(execFile)("ffmpeg", ["-v", "error", "-y", ...parts], { cwd: folder });
	const picture = ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=10:d=3"];
	const x264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"];
	const av1 = ["-c:v", "libsvtav1", "-preset", "12", "-pix_fmt", "yuv420p"];
	await run(...picture, "-f", "lavfi", "-i", "sine=d=3", ...x264, "-c:a", "aac", "film.mp4");
	await run(...picture, ...av1, "film.webm");
	// ffmpeg writes `rotate=90` as counter-clockwise.
	await run("-i", "film.mp4", "-c", "copy", "-metadata:s:v:0", "rotate=90", "turned.mov");
	await run("-i", "film.mp4", "-vn", "-c", "copy", "sound.m4a");
	// As a browser records: the length is never written.
	await run("-i", "film.webm", "-c", "copy", "-live", "1", "recorded.webm");
	const bytes = await readFile(join(folder, "film.mp4"));
	await writeFile(join(folder, "cut.mp4"), bytes.subarray(0, bytes.length / 2));
	await writeFile(join(folder, "text.mp4"), "No film at all.");
	for (const name of ["film.mp4", "film.webm", "turned.mov", "sound.m4a", "recorded.webm", "cut.mp4", "text.mp4"])
		films[name] = new File([await readFile(join(folder, name))], name, { type: "video/mp4" });
});
afterAll(() => rm(folder, { recursive: true }));
const film = (name: string) => films[name] as File;

describe("what a page reads of a film", () => {
	it.each<[string, Partial<UploadSource> | null]>([
		["film.mp4", { duration: expect.closeTo(3, 0), width: 320, height: 180, rotation: 0 }],
		["film.webm", { duration: expect.closeTo(3, 0), width: 320, height: 180, rotation: 0 }],
		["turned.mov", { duration: expect.closeTo(3, 0), width: 180, height: 320, rotation: 270 }],
		["recorded.webm", { duration: null, width: 320, height: 180, rotation: 0 }],
		["sound.m4a", null],
		["cut.mp4", null],
		["text.mp4", null],
	])("%s", async (name, source) => {
		expect(await readUploadSource(film(name))).toEqual(source);
	});

	it("is nothing if the file can't be read, or takes too long", async () => {
		const broken = new File(["1"], "moved.mp4");
		broken.slice = () => {
			throw new DOMException("moved", "NotReadableError");
		};
		expect(await readUploadSource(broken)).toBeNull();
		vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
		try {
			const endless = new File([await film("film.mp4").arrayBuffer()], "endless.mp4");
			endless.slice = () => Object.assign(new Blob(), { arrayBuffer: () => new Promise<never>(() => {}) });
			const reading = readUploadSource(endless);
			await vi.advanceTimersByTimeAsync(5000);
			expect(await reading).toBeNull();
		} finally {
			vi.useRealTimers();
		}
	});
});

describe("a film that is too long", () => {
	it("fails before a byte is sent, and tells what the page read", async () => {
		await using tus = await tusServer();
		const asked: unknown[] = [];
		const upload = createUpload({
			file: film("film.mp4"),
			storage: null,
			initiate: async (_file, source) => {
				asked.push(durationOf(source));
				throw new ReelmillError("duration_too_long", { message: "duration_seconds is over the 2 allowed." });
			},
		});
		await expect(upload.start()).rejects.toMatchObject({ code: "duration_too_long" });
		expect(asked).toEqual([{ duration_seconds: 3 }]);
		expect(upload.state.get()).toMatchObject({
			status: "failed",
			error: { code: "duration_too_long" },
			bytesSent: 0,
			source: { width: 320, height: 180, rotation: 0 },
		});
		expect(tus.requests).toEqual([]);
	});

	it("is known to the back end by its length, if the file says it", async () => {
		const bodies: { duration_seconds?: number }[] = [];
		const backEnd = fromBackEnd("https://tenant.example/video", {
			fetch: async (_url, options) => {
				bodies.push(JSON.parse(String(options?.body)));
				return Response.json({ error: "duration_too_long", message: "Too long." }, { status: 400 });
			},
		});
		for (const name of ["film.webm", "recorded.webm"])
			await expect(backEnd.initiate(film(name))).rejects.toMatchObject({ code: "duration_too_long" });
		expect(bodies.map(({ duration_seconds }) => duration_seconds)).toEqual([3, undefined]);
	});
});
