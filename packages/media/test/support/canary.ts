import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { expect } from "vitest";
import { MediaError, processVideo, type Tools } from "../../src/index.ts";
import { type Folder, job, tools } from "./sources.ts";

/** Opens a file and a server that know when they are reached, for sources that name them. */
export async function openCanary(folder: Folder) {
	const touched = { readers: 0, connections: 0 };
	const server = createServer((_, response) => response.end());
	server.on("connection", () => {
		touched.connections += 1;
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const file = folder.path("canary.ts");
	await promisify(execFile)("mkfifo", [file]);
	// Whoever opens the canary to read it lets the writer through.
	const writer = spawn("sh", ["-c", 'while :; do echo secret > "$1" && echo read; done', "sh", file], {
		stdio: ["ignore", "pipe", "ignore"],
	});
	writer.stdout.on("data", () => {
		touched.readers += 1;
	});

	/** What becomes of a source. */
	const fate = (source: string, use: Tools = tools): Promise<string> =>
		processVideo({ source, directory: folder.outputs(), tools: use, job: job() }).then(
			() => "made",
			(error: unknown) => {
				if (error instanceof MediaError) return error.reason;
				throw error;
			},
		);

	return {
		/** What a source may name. */
		uris: [`file://${file}`, file, `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.ts`],
		/** How often each was reached until now. */
		touched: () => ({ ...touched }),
		written: async (name: string, content: string | Buffer): Promise<string> => {
			await writeFile(folder.path(name), content, "latin1");
			return folder.path(name);
		},
		fate,
		expectRefused: async (source: string, reason: string, use?: Tools): Promise<void> => {
			expect(await fate(source, use)).toBe(reason);
		},
		close() {
			writer.kill("SIGKILL");
			server.close();
		},
	};
}
export type Canary = Awaited<ReturnType<typeof openCanary>>;
