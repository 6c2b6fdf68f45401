import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createReelmill } from "@reelmill/node";
import { openTestDatabase, type TestDatabase } from "@reelmill/postgres/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeSource } from "../../../packages/worker/test/support/make-source.ts";
import { type OpenServer, openServer } from "./support/open-server.ts";
import { runTranscoder } from "./support/transcoder-process.ts";

const account = { name: "placed", secret: "the-secret-of-placed-workers-in-32-characters" };
let directory: string;
let database: TestDatabase;
let server: OpenServer;
let reelmill: ReturnType<typeof createReelmill>;
const started: ReturnType<typeof runTranscoder>[] = [];
beforeAll(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-placed-"));
	database = await openTestDatabase({
		serverUrl: process.env.REELMILL_TEST_DATABASE_URL,
		template: process.env.REELMILL_TEST_DATABASE_TEMPLATE,
	});
	server = await openServer(join(directory, "server"), database.url, {
		SERVICE_NAME: account.name,
		SERVICE_SECRET: account.secret,
		WORKER_CIDRS: "127.0.0.0/8",
	});
	reelmill = createReelmill({ baseUrl: server.url, apiKey: server.auth.authorization.slice("Bearer ".length) });
	await reelmill.domain.updateConfig({ renditions: ["h264_720"] });
});
afterAll(async () => {
	for (const { child, ended } of started) {
		child.kill("SIGKILL");
		await ended;
	}
	await server.stop();
	await database.close();
	await rm(directory, { recursive: true, force: true });
});

/** Starts a transcoder on a machine of its own, which has nothing of the ones before. */
async function place(options: readonly string[], settings: Readonly<Record<string, string>> = {}) {
	const workDirectory = join(directory, `machine-${started.length}`);
	await mkdir(workDirectory);
	const environment = {
		REELMILL_API_URL: server.url,
		REELMILL_SERVICE_NAME: account.name,
		REELMILL_SERVICE_SECRET: account.secret,
		REELMILL_WORKDIR: workDirectory,
		REELMILL_CONFINEMENT: "off",
		REELMILL_DRAIN_SECONDS: "0",
		...settings,
	};
	const transcoder = runTranscoder(environment, options);
	started.push(transcoder);
	const left = async () => (await readdir(workDirectory)).filter((name) => !name.startsWith("token-"));
	return { ...transcoder, left };
}
/** Writes an ffmpeg that does this instead of its encodes of sources. */
async function brokenFfmpeg(name: string, script: string): Promise<string> {
	const path = join(directory, name);
	await writeFile(path, `#!/bin/sh\ncase "$*" in *"-filter_complex "*) ${script};; esac\nexec ffmpeg "$@"\n`);
	await chmod(path, 0o755);
	return path;
}

it("a transcoder that is placed for one job ends with a code that says how it went", async () => {
	const idle = await place(["--once"]);
	expect([await idle.ended, await idle.left()]).toEqual([[0, null], []]);

	const source = await makeSource(4, { size: "192x108", rate: 10, keyFrameDistance: 20 });
	const upload = async () =>
		(await reelmill.videos.upload(new Blob([new Uint8Array(source)], { type: "video/mp4" }))).id;
	const state = async (id: string) => (await reelmill.videos.get(id)).state;
	const first = await upload();

	// One that is stopped gives its job back at once, so that the next one gets it by its only claim.
	const endless = await brokenFfmpeg("endless", `while [ -d ${directory} ]; do sleep 0.5; done`);
	const stopped = await place(["--once"], { REELMILL_FFMPEG: endless });
	await expect.poll(stopped.said, { interval: 20 }).toContain("job claimed");
	stopped.child.kill("SIGTERM");
	expect([await stopped.ended, await stopped.left()]).toEqual([[143, null], []]);

	const done = await place(["--once"]);
	expect([await done.ended, await done.left()], done.said()).toEqual([[0, null], []]);
	expect(await state(first)).toBe("available");

	// One whose programs fail costs the video nothing: it waits for another machine.
	const second = await upload();
	const ill = await place(["--once"], { REELMILL_FFMPEG: await brokenFfmpeg("ill", "kill -KILL $$") });
	expect([await ill.ended, await ill.left()]).toEqual([[71, null], []]);
	expect(ill.said()).toContain('"reason":"ill","message":"program_killed: ');
	expect(await state(second)).toBe("queued");
	await reelmill.videos.cancel(second);

	const refused = await place(["--once"], { REELMILL_SERVICE_SECRET: "a-wrong-secret" });
	expect(await refused.ended).toEqual([69, null]);
	const wrong = await place(["--max-jobs", "none"]);
	expect([await wrong.ended, wrong.said()]).toEqual([[1, null], "--max-jobs must be a whole number.\n"]);
});

it("loses one chunk at most when its machine is taken away, if it keeps chunks", { timeout: 180_000 }, async () => {
	// It stands still in the chunk that comes last, the first time.
	const [calls, taken] = [join(directory, "calls"), join(directory, "taken")];
	const stands = `touch ${taken}; while [ -d ${directory} ]; do sleep 0.5; done`;
	const script = `echo "$*" >> ${calls}; case "$*" in *" -ss 0.000 "*) [ -e ${taken} ] || { ${stands}; };; esac`;
	const counting = await brokenFfmpeg("counting", script);
	const source = await makeSource(44, { size: "192x108", rate: 10, keyFrameDistance: 20 });
	const { id } = await reelmill.videos.upload(new Blob([new Uint8Array(source)], { type: "video/mp4" }));
	const begun = async () =>
		Array.from((await readFile(calls, "utf8").catch(() => "")).matchAll(/-noaccurate_seek -ss (\S+)/g), ([, at]) => at);
	const settings = { REELMILL_FFMPEG: counting, REELMILL_KEEP_CHUNKS: "always" };

	const noticed = await place(["--once"], settings);
	await expect.poll(begun, { interval: 50, timeout: 60_000 }).toEqual(["22.000", "0.000"]);
	noticed.child.kill("SIGTERM");
	expect(await noticed.ended).toEqual([143, null]);
	const next = await place(["--once"], settings);
	expect(await next.ended, next.said()).toEqual([0, null]);
	expect((await reelmill.videos.get(id)).state).toBe("available");
	expect(await begun()).toEqual(["22.000", "0.000", "0.000"]);
});
