import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CreatedVideo, Video } from "@reelmill/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listen, openService, type Service } from "../../http/test/support/open-service.ts";
import { keyName } from "../src/file-to-send.ts";
import { Interrupted, runCli } from "../src/index.ts";
import { uploadNotes } from "../src/upload-notes.ts";
import { documents, inProcess } from "./support/reelmill.ts";

let service: Service;
let directory = "";
beforeAll(async () => {
	service = await openService();
	directory = await mkdtemp(join(tmpdir(), "reelmill-import-"));
});
afterAll(async () => {
	await service.close();
	await rm(directory, { recursive: true });
});

type Told = { reference: string; outcome: string; video_id: string | null; error: string | null };

async function tenant() {
	const { apiKey, auth } = await service.tenant();
	const home = await mkdtemp(join(directory, "home-"));
	const environment = { REELMILL_URL: service.url, REELMILL_API_KEY: apiKey, HOME: home };
	return {
		home,
		auth,
		environment,
		imported: async (...args: string[]) => {
			const { code, stdout, stderr } = await inProcess(environment, "import", ...args, "--json");
			const outcomes = documents<Told>(stdout).map(({ reference, outcome }) => [reference, outcome]);
			return { code, outcomes: outcomes.sort(), stderr };
		},
		videos: async () => ((await service.send({ path: "/v1/videos", headers: auth })).json as { data: Video[] }).data,
	};
}

async function folderOf(files: Record<string, string>): Promise<string> {
	const folder = await mkdtemp(join(directory, "folder-"));
	for (const [name, text] of Object.entries(files)) {
		await mkdir(join(folder, name, ".."), { recursive: true });
		await writeFile(join(folder, name), text);
	}
	return folder;
}

/** Runs an import that is stopped, as by Ctrl-C, as soon as a file lies there that `isEnough` takes. */
async function stopped(
	environment: Record<string, string>,
	from: string,
	folder: string,
	isEnough: (path: string) => Promise<boolean>,
): Promise<number> {
	const stop = new AbortController();
	const { signal } = stop;
	const importing = runCli(["import", from], { environment, stdout: { write() {} }, stderr: { write() {} }, signal });
	const enough = async () => {
		const names = await readdir(folder).catch(() => []);
		return (await Promise.all(names.map((name) => isEnough(join(folder, name))))).includes(true);
	};
	await expect.poll(enough, { interval: 5 }).toBe(true);
	stop.abort(new Interrupted());
	return importing;
}

/** Serves files with ranges; a request may be broken off, or held, after so many bytes. */
async function fileServer(
	files: Record<string, Buffer>,
	breakAfter: (request: IncomingMessage) => number | undefined,
	{ holds = false } = {},
) {
	const ranges: (string | undefined)[] = [];
	const server = createServer((request, response) => {
		const bytes = files[request.url ?? ""];
		ranges.push(request.headers.range);
		if (bytes === undefined) return void response.writeHead(404).end();
		const from = Number(/^bytes=(\d+)-/.exec(request.headers.range ?? "")?.[1] ?? 0);
		const rest = bytes.subarray(from);
		response.writeHead(from > 0 ? 206 : 200, {
			etag: '"one"',
			"content-length": rest.length,
			"content-type": request.url === "/page" ? "text/html" : "video/mp4",
			...(from > 0 && { "content-range": `bytes ${from}-${bytes.length - 1}/${bytes.length}` }),
		});
		const most = breakAfter(request);
		if (most === undefined) response.end(rest);
		else response.write(rest.subarray(0, most), () => !holds && setImmediate(() => request.socket.destroy()));
	});
	const url = await listen(server);
	return {
		url,
		ranges,
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			server.close();
			await once(server, "close");
		},
	};
}

describe("import of a folder", () => {
	it("brings in every video of it once, however often it is called", async () => {
		const { imported, videos } = await tenant();
		const folder = await folderOf({ "a.mp4": "aaaa", "inner/b.MOV": "bbbb", "notes.txt": "no video", "empty.mp4": "" });
		expect(await imported(folder, "--prefix", "old/")).toMatchObject({
			code: 1,
			outcomes: [
				["old/a.mp4", "imported"],
				["old/empty.mp4", "failed"],
				["old/inner/b.MOV", "imported"],
			],
		});
		await writeFile(join(folder, "empty.mp4"), "cccc");
		expect(await imported(folder, "--prefix", "old/")).toMatchObject({
			code: 0,
			outcomes: [
				["old/a.mp4", "there"],
				["old/empty.mp4", "imported"],
				["old/inner/b.MOV", "there"],
			],
		});
		const all = await videos();
		expect(all.map(({ external_ref, content_type }) => [external_ref, content_type]).sort()).toEqual([
			["old/a.mp4", "video/mp4"],
			["old/empty.mp4", "video/mp4"],
			["old/inner/b.MOV", "video/quicktime"],
		]);
	});

	it("names the videos of a folder, by every ending that the service takes, but no GIF", async () => {
		const { environment } = await tenant();
		const endings = ["mp4", "OGV", "wmv", "mxf", "dv", "3g2", "m2ts", "gif", "jpg", "md"];
		const folder = await folderOf(Object.fromEntries(endings.map((ending) => [`a.${ending}`, "aaaa"])));
		const { stdout } = await inProcess(environment, "import", folder, "--dry-run");
		expect(stdout.trim().split("\n").sort()).toEqual(["a.3g2", "a.OGV", "a.dv", "a.m2ts", "a.mp4", "a.mxf", "a.wmv"]);
	});

	it("imports a file though a video of another file has its name", async () => {
		const { environment, imported, videos } = await tenant();
		const other = await folderOf({ "a.mp4": "aaaaaaaa" });
		await inProcess(environment, "upload", join(other, "a.mp4"));
		const folder = await folderOf({ "a.mp4": "aaaa" });
		expect((await imported(folder)).outcomes).toEqual([["a.mp4", "imported"]]);
		expect((await imported(folder)).outcomes).toEqual([["a.mp4", "there"]]);
		expect((await videos()).map(({ file_size }) => file_size).sort()).toEqual([4, 8]);
	});

	it("imports anew what was cancelled, and leaves alone what someone else is uploading", async () => {
		const { auth, imported, videos } = await tenant();
		const folder = await folderOf({ "a.mp4": "aaaa", "b.mp4": "bbbb" });
		const body = { content_type: "video/mp4", file_size: 4 };
		const begun = async (external_ref: string) =>
			(await service.send({ method: "POST", path: "/v1/videos", headers: auth, json: { ...body, external_ref } }))
				.json as {
				video: Video;
			};
		const { video } = await begun("a.mp4");
		await service.send({ method: "POST", path: `/v1/videos/${video.id}/cancel`, headers: auth });
		await begun("b.mp4");
		expect(await imported(folder)).toMatchObject({
			code: 0,
			outcomes: [
				["a.mp4", "imported"],
				["b.mp4", "pending"],
			],
		});
		expect(await videos()).toHaveLength(3);
	});

	it("says what is missing, and stops at once where the key is refused", async () => {
		const { imported } = await tenant();
		expect((await imported(join(directory, "none"))).stderr).toContain("There is no folder and no file");
		const folder = await folderOf({ "a.mp4": "aaaa", "b.mp4": "bbbb" });
		const refused = await inProcess({ REELMILL_URL: service.url, REELMILL_API_KEY: "ek_no" }, "import", folder);
		expect(refused).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("(unauthorized)") });
	});
});

describe("an import that is stopped", () => {
	it("continues with the upload that was under way", async () => {
		const { environment, home, imported, videos } = await tenant();
		const folder = await folderOf({ "a.mp4": "" });
		await truncate(join(folder, "a.mp4"), 150 * 1024 * 1024);
		const notes = join(home, ".local", "state", "reelmill", "uploads");
		const isUnderWay = async (path: string) => (await readFile(path, "utf8")).includes("uploadUrl");
		expect(await stopped(environment, folder, notes, isUnderWay)).toBe(1);
		const [pending] = await videos();
		expect(pending?.state).toBe("pending_upload");
		expect(await imported(folder)).toMatchObject({ code: 0, outcomes: [["a.mp4", "imported"]] });
		expect((await videos()).map(({ id }) => id)).toEqual([pending?.id]);
		expect(await readdir(notes)).toEqual([]);
	});

	it("continues with the download that was under way", async () => {
		const { environment, home, imported } = await tenant();
		const large = Buffer.alloc(3_000_000, "x");
		let requests = 0;
		const holdFirst = () => (requests++ === 0 ? 1_000_000 : undefined);
		await using files = await fileServer({ "/a.mp4": large }, holdFirst, { holds: true });
		const list = join(await folderOf({ "list.txt": `${files.url}/a.mp4 a\n` }), "list.txt");
		const downloads = join(home, ".local", "state", "reelmill", "imports");
		const hasBytes = async (path: string) => !path.endsWith(".json") && (await stat(path)).size > 0;
		expect(await stopped(environment, list, downloads, hasBytes)).toBe(1);
		expect(await imported(list)).toMatchObject({ code: 0, outcomes: [["a", "imported"]] });
		expect(files.ranges).toEqual([undefined, expect.stringMatching(/^bytes=[1-9]\d*-$/)]);
		expect(await readdir(downloads)).toEqual([]);
	});
});

describe("import of a list of addresses", () => {
	it("downloads each, resumes a download that broke, and leaves nothing on the disk", async () => {
		const { home, imported, videos } = await tenant();
		const large = Buffer.alloc(3_000_000, "x");
		let broken = 0;
		await using files = await fileServer({ "/a.mp4": large, "/b": Buffer.from("bbbb") }, ({ url }) =>
			url === "/a.mp4" && broken++ === 0 ? 1_000_000 : undefined,
		);
		const list = join(await folderOf({ "list.txt": "" }), "list.txt");
		await writeFile(list, `# mine\n${files.url}/a.mp4\n\n${files.url}/b the second\n${files.url}/none.mp4\n`);
		expect(await imported(list, "--parallel", "1")).toMatchObject({
			code: 1,
			outcomes: [
				[`${files.url}/a.mp4`, "imported"],
				[`${files.url}/none.mp4`, "failed"],
				["the second", "imported"],
			],
		});
		expect(files.ranges[0]).toBeUndefined();
		expect(files.ranges[1]).toMatch(/^bytes=[1-9]\d*-$/);
		expect(Object.fromEntries((await videos()).map((video) => [video.external_ref, video.file_size]))).toEqual({
			"the second": 4,
			[`${files.url}/a.mp4`]: large.length,
		});
		expect(await readdir(join(home, ".local", "state", "reelmill", "imports"))).toEqual([]);
		const requests = files.ranges.length;
		expect((await imported(list)).outcomes.map(([, outcome]) => outcome)).toEqual(["there", "failed", "there"]);
		expect(files.ranges.length).toBe(requests + 1);
	});

	it("keeps nothing of what is no video, nor of a run that was stopped before its end", async () => {
		const { environment, home, imported } = await tenant();
		await using files = await fileServer(
			{ "/a.mp4": Buffer.from("aaaa"), "/page": Buffer.from("page") },
			() => undefined,
		);
		const folder = await folderOf({ "list.txt": `${files.url}/a.mp4 a\n${files.url}/page p\n`, "inner/b.mp4": "bbbb" });
		const list = join(folder, "list.txt");
		const outcomes = [
			["a", "imported"],
			["p", "failed"],
		];
		expect(await imported(list)).toMatchObject({ code: 1, outcomes });
		expect((await imported(join(folder, "inner"))).code).toBe(0);
		const state = join(home, ".local", "state", "reelmill");
		expect(await readdir(join(state, "imports"))).toEqual([]);

		const { mtimeMs: modified } = await stat(join(folder, "inner", "b.mp4"));
		const { REELMILL_URL: url, REELMILL_API_KEY } = environment;
		const what = { url, key: keyName(REELMILL_API_KEY), reference: "b.mp4", size: 4, modified };
		uploadNotes({ environment }, what)?.write({ created: {} as CreatedVideo });
		const name = createHash("sha256").update(`${files.url}/a.mp4`).digest("hex").slice(0, 32);
		await writeFile(join(state, "imports", name), "aaaa");
		expect(await readdir(join(state, "uploads"))).toHaveLength(1);
		await imported(join(folder, "inner"));
		await imported(list);
		expect(await readdir(join(state, "uploads"))).toEqual([]);
		expect(await readdir(join(state, "imports"))).toEqual([]);
	});

	it("refuses lines that are no addresses, and two videos of one reference", async () => {
		const { imported } = await tenant();
		const folder = await folderOf({ "bad.txt": "nonsense\n", "twice.txt": "http://x/a same\nhttp://x/b same\n" });
		expect((await imported(join(folder, "bad.txt"))).stderr).toContain("Line 1 of");
		expect((await imported(join(folder, "twice.txt"))).stderr).toContain("Two videos would have the reference same");
		const video = join(await folderOf({ "a.mp4": "aaaa" }), "a.mp4");
		expect((await imported(video)).stderr).toContain(`reelmill upload ${video} sends it`);
	});
});
