import { execFile } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startTestServer, type TestServer } from "@reelmill/postgres/testing";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type RunningProcess, runServer } from "../support/running-server.ts";

const adminKey = "an-operators-key-of-32-characters-or-more";
const requestId = "order-4711";
const program = fileURLToPath(new URL("../../../../packages/cli/src/main.ts", import.meta.url));
const guides = await Promise.all(
	["incidents", "disk-full"].map((name) =>
		readFile(new URL(`../../../../docs/guides/${name}.md`, import.meta.url), "utf8"),
	),
);
const blocks = guides.flatMap((guide) => [...guide.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text = ""]) => text));

let directory: string;
let database: TestServer;
let server: RunningProcess;
beforeAll(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-incidents-"));
	database = await startTestServer();
	server = await runServer(directory, database.url, { ADMIN_KEY: adminKey, LOG_LEVEL: "debug" });
	await writeFile(join(directory, "reelmill"), `#!/bin/sh\nexec ${process.execPath} ${program} "$@"\n`);
	await chmod(join(directory, "reelmill"), 0o755);
	await fetch(`${server.url}/v1/videos`, { headers: { "x-request-id": requestId } });
	const log = () => server.log().map((line) => JSON.stringify(line));
	await vi.waitUntil(() => log().some((line) => line.includes(requestId)), { timeout: 120_000 });
	await writeFile(join(directory, "server.log"), log().join("\n"));
});
afterAll(async () => {
	server?.child.kill("SIGTERM");
	await server?.ended;
	await database?.close();
	await rm(directory, { recursive: true, force: true });
});

it("the guides to incidents have commands", () => {
	expect(blocks.length).toBeGreaterThan(8);
});

it.each(blocks)("runs as the guide has it: %s", async (block) => {
	const environment = {
		PATH: `${directory}:${process.env.PATH}`,
		HOME: directory,
		OPERATIONS: server.operations,
		REQUEST_ID: requestId,
		LOGS: join(directory, "server.log"),
		REELMILL_DATA_DIR: directory,
		REELMILL_URL: server.url,
		REELMILL_ADMIN_KEY: adminKey,
	};
	const { stdout, stderr } = await promisify(execFile)("bash", ["-euo", "pipefail", "-c", block], { env: environment });
	expect(stdout + stderr).not.toBe("");
});
