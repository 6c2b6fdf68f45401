import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openTestDatabase } from "@reelmill/postgres/testing";
import { afterEach, beforeEach, expect, it } from "vitest";

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));
/** As in a container of its own, over the same files. macOS has none of that. */
const elsewhere =
	process.platform === "linux"
		? ["bwrap", "--die-with-parent", "--unshare-pid", "--unshare-ipc", "--unshare-net", "--dev-bind", "/", "/", "--proc", "/proc"]
		: [];
const cleanUp: (() => unknown)[] = [];
let directory: string;
beforeEach(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-directory-"));
	cleanUp.push(() => rm(directory, { recursive: true, force: true }));
});
afterEach(async () => {
	for (const step of cleanUp.splice(0).reverse()) await step();
});

/** The server's process; `said` resolves with what it said until it was ready or had ended, and how long that took. */
function start(environment: Record<string, string> = {}, inside: readonly string[] = []) {
	const begun = performance.now();
	const settings = { REELMILL_DATA_DIR: directory, REELMILL_PORT: "0", REELMILL_EMBEDDED_WORKERS: "0", ...environment };
	const [program = "", ...args] = [...inside, process.execPath, main];
	const child = spawn(program, args, { env: { PATH: process.env.PATH, ...settings }, stdio: ["ignore", "pipe", "pipe"] });
	cleanUp.push(() => end(child, "SIGTERM"));
	const said = new Promise<{ text: string; code: number | null; seconds: number }>((resolve) => {
		let text = "";
		const finish = () => resolve({ text, code: child.exitCode, seconds: (performance.now() - begun) / 1000 });
		for (const stream of [child.stdout, child.stderr])
			stream.on("data", (more: Buffer) => {
				text += more;
				if (text.includes("Reelmill is ready.")) finish();
			});
		child.once("close", finish);
	});
	return { child, said };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	child.kill(signal);
	await once(child, "exit");
}

it("is one server's alone with an embedded database, also where a second one sees nothing of it, and free as soon as that was killed", async () => {
	const first = start();
	expect((await first.said).text).toContain("Reelmill is ready.");
	const others = await Promise.all([start({}, elsewhere).said, start().said]);
	for (const second of others) {
		expect(second).toMatchObject({
			code: 1,
			text: `The data directory ${directory} is in use by a server with an embedded database (process ${first.child.pid} on ${hostname()}): stop it, or set REELMILL_DATA_DIR to another directory.\n`,
		});
	}
	expect(Math.min(...others.map(({ seconds }) => seconds))).toBeLessThan(5);
	await end(first.child, "SIGKILL");
	expect((await start({}, elsewhere).said).text).toContain("Reelmill is ready.");
});

it("is shared by servers over one database, and by no embedded one beside them", async () => {
	const { url, close } = await openTestDatabase({ serverUrl: process.env.REELMILL_TEST_DATABASE_URL });
	cleanUp.push(close);
	const shared = start({ REELMILL_DATABASE_URL: url });
	expect((await shared.said).text).toContain("Reelmill is ready.");
	expect(await start().said).toMatchObject({
		code: 1,
		text: expect.stringContaining("is in use by servers with a REELMILL_DATABASE_URL: set that here as well"),
	});
	await end(shared.child, "SIGTERM");

	const embedded = start();
	expect((await embedded.said).text).toContain("Reelmill is ready.");
	expect(await start({ REELMILL_DATABASE_URL: url }).said).toMatchObject({
		code: 1,
		text: expect.stringMatching(/is in use by a server with an embedded database \(process \d+ on .*\): give both the same REELMILL_DATABASE_URL, or set/),
	});
});
