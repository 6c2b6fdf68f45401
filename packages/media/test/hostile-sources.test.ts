import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Canary, openCanary } from "./support/canary.ts";
import { lyingMp4, pointers } from "./support/hostile-files.ts";
import { type Folder, openFolder, tools } from "./support/sources.ts";

let folder: Folder;
let canary: Canary;
beforeAll(async () => {
	folder = await openFolder();
	canary = await openCanary(folder);
});
afterAll(async () => {
	canary.close();
	await folder.close();
});

describe("files that point elsewhere, named .mp4", () => {
	it("work without guards: the canary is read and the server is reached", async () => {
		const before = canary.touched();
		for (const uri of canary.uris) {
			const source = await canary.written("potent.m3u8", pointers([uri])["a playlist"] as string);
			const open = ["-protocol_whitelist", "file,crypto,data,http,tcp", "-f", "hls", "-allowed_extensions", "ALL"];
			await promisify(execFile)("ffprobe", ["-v", "quiet", ...open, "-i", source], { timeout: 30_000 }).catch(() => {});
		}
		await expect.poll(() => canary.touched().readers).toBeGreaterThan(before.readers);
		await expect.poll(() => canary.touched().connections).toBeGreaterThan(before.connections);
	});

	it.each(["preferred", "off"] as const)(
		"are refused, and nothing that they name is touched: confinement %s",
		async (confinement) => {
			const before = canary.touched();
			for (const [kind, content] of Object.entries(pointers(canary.uris))) {
				const source = await canary.written(`${kind.replaceAll(" ", "-")}.mp4`, content);
				await canary.expectRefused(source, "invalid_media", { ...tools, confinement });
			}
			expect(canary.touched()).toEqual(before);
		},
	);
});

it("a file that says 65535x65535 is refused", async () => {
	await canary.expectRefused(
		await canary.written("liar.mp4", lyingMp4({ width: 65_535, height: 65_535 })),
		"invalid_media",
	);
});

describe("damaged files", () => {
	it("with another ending are what their bytes say", async () => {
		const made = await readFile(await folder.source("real.mkv", { size: "160x90", seconds: 1 }));
		expect(await canary.fate(await canary.written("really-matroska.mp4", made))).toBe("made");
		await canary.expectRefused(await canary.written("really-text.mp4", "Not a video.\n".repeat(500)), "invalid_media");
	});
});
