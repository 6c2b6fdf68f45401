import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openTestDatabase } from "@reelmill/postgres/testing";
import { afterEach, expect, it } from "vitest";

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));
const cleanUp: (() => Promise<unknown>)[] = [];
afterEach(async () => {
	for (const step of cleanUp.splice(0).reverse()) await step();
});

async function startServer(environment: Record<string, string>): Promise<{ url: string; key: string }> {
	const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("REELMILL_")));
	const child: ChildProcess = spawn(process.execPath, [main], {
		env: { ...own, REELMILL_PORT: "0", REELMILL_EMBEDDED_WORKERS: "0", ...environment },
		stdio: ["ignore", "pipe", "inherit"],
	});
	cleanUp.push(async () => {
		child.kill("SIGTERM");
		if (child.exitCode === null) await once(child, "exit");
	});
	let out = "";
	while (!out.includes("Reelmill is ready.")) {
		const [text] = (await Promise.race([once(child.stdout as NodeJS.ReadableStream, "data"), once(child, "exit")])) as [
			Buffer | number,
		];
		if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
		out += String(text);
	}
	return { url: /http:\S+(?=\/v1\/health)/.exec(out)?.[0] as string, key: /ek_\w+/.exec(out)?.[0] as string };
}

it("two server processes over one database share a key's limit, and believe their trusted proxies alone", async () => {
	const { url: database, close } = await openTestDatabase({
		serverUrl: process.env.REELMILL_TEST_DATABASE_URL,
		template: process.env.REELMILL_TEST_DATABASE_TEMPLATE,
	});
	cleanUp.push(close);
	const directory = await mkdtemp(join(tmpdir(), "reelmill-limits-"));
	cleanUp.push(() => rm(directory, { recursive: true, force: true }));
	const shared = { REELMILL_DATABASE_URL: database, REELMILL_DATA_DIR: directory };
	const trusting = await startServer({ ...shared, REELMILL_TRUSTED_PROXIES: "127.0.0.0/8, ::1" });
	const direct = await startServer(shared);
	const servers = [trusting, direct];
	const ask = (index: number, headers: Record<string, string>) =>
		fetch(`${servers[index % 2]?.url}/v1/domain`, { headers });

	const answers: Response[] = [];
	for (let index = 0; index < 240; index++) answers.push(await ask(index, { authorization: `Bearer ${trusting.key}` }));
	const allowed = answers.filter(({ status }) => status === 200).length;
	expect(allowed).toBeLessThanOrEqual(200);
	expect(allowed).toBeGreaterThanOrEqual(190);
	const refused = answers.filter(({ status }) => status === 429);
	expect(refused).toHaveLength(240 - allowed);
	for (const answer of refused) {
		const seconds = Number(answer.headers.get("retry-after"));
		expect(seconds).toBeGreaterThan(0);
		expect(seconds).toBeLessThanOrEqual(60);
	}

	const strangers = async (server: number) => {
		const statuses: number[] = [];
		for (let index = 0; index < 201; index++)
			statuses.push((await ask(server, { "x-forwarded-for": `198.51.100.${index}` })).status);
		return statuses;
	};
	expect((await strangers(1)).at(-1)).toBe(429);
	expect(new Set(await strangers(0))).toEqual(new Set([401]));
});
