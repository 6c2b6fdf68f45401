import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MediaError, processVideo, type Tools } from "../src/index.ts";
import { lyingMp4, pointers } from "./support/hostile-files.ts";
import { type Folder, job, openFolder, tools } from "./support/sources.ts";

let folder: Folder;
let server: Server;
let connections = 0;
let canary: string;
let writer: ChildProcess;
let readers = 0;
const run = promisify(execFile);

beforeAll(async () => {
	folder = await openFolder();
	server = createServer((_, response) => response.end());
	server.on("connection", () => {
		connections += 1;
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	canary = folder.path("canary.ts");
	await run("mkfifo", [canary]);
	// Whoever opens the canary to read it lets the writer through.
	writer = spawn("sh", ["-c", 'while :; do echo secret > "$1" && echo read; done', "sh", canary], {
		stdio: ["ignore", "pipe", "ignore"],
	});
	writer.stdout?.on("data", () => {
		readers += 1;
	});
});
afterAll(async () => {
	writer.kill("SIGKILL");
	server.close();
	await folder.close();
});

const uris = () => [`file://${canary}`, canary, `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.ts`];
const written = async (name: string, content: string | Buffer): Promise<string> => {
	await writeFile(folder.path(name), content, "latin1");
	return folder.path(name);
};
/** What becomes of a source. */
const fate = (source: string, use: Tools = tools): Promise<{ reason: string }> =>
	processVideo({ source, directory: folder.outputs(), tools: use, job: job() }).then(
		() => ({ reason: "made" }),
		(error: unknown) => {
			if (error instanceof MediaError) return error;
			throw error;
		},
	);
const refused = async (source: string, reason: string, use?: Tools) => {
	expect(await fate(source, use)).toMatchObject({ reason });
};

describe("files that point elsewhere, named .mp4", () => {
	it("work without guards: the canary is read and the server is reached", async () => {
		const before = { readers, connections };
		for (const uri of uris()) {
			const source = await written("potent.m3u8", pointers([uri])["a playlist"] as string);
			const open = ["-protocol_whitelist", "file,crypto,data,http,tcp", "-f", "hls", "-allowed_extensions", "ALL"];
			await run("ffprobe", ["-v", "quiet", ...open, "-i", source], { timeout: 30_000 }).catch(() => {});
		}
		await expect.poll(() => readers).toBeGreaterThan(before.readers);
		await expect.poll(() => connections).toBeGreaterThan(before.connections);
	});

	it.each(["preferred", "off"] as const)(
		"are refused, and nothing that they name is touched: confinement %s",
		async (confinement) => {
			const before = { readers, connections };
			for (const [kind, content] of Object.entries(pointers(uris()))) {
				const source = await written(`${kind.replaceAll(" ", "-")}.mp4`, content);
				await refused(source, "invalid_media", { ...tools, confinement });
			}
			expect({ readers, connections }).toEqual(before);
		},
	);
});

it("a file that says 65535x65535 is refused", async () => {
	await refused(await written("liar.mp4", lyingMp4({ width: 65_535, height: 65_535 })), "invalid_media");
});

describe("damaged files", () => {
	it("with another ending are what their bytes say", async () => {
		const made = await readFile(await folder.source("real.mkv", { size: "160x90", seconds: 1 }));
		expect((await fate(await written("really-matroska.mp4", made))).reason).toBe("made");
		await refused(await written("really-text.mp4", "Not a video.\n".repeat(500)), "invalid_media");
	});
});
