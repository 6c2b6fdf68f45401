import { mkdtempSync, rmSync } from "node:fs";
import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { scriptedServer } from "../../client/test/support/scripted-server.ts";
import { runCli } from "../src/index.ts";
import { inProcess } from "./support/reelmill.ts";

let home = "";
const homes: string[] = [];
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), "reelmill-home-"));
	homes.push(home);
});
afterAll(() => {
	for (const one of homes) rmSync(one, { recursive: true });
});

const acme = { status: 200, body: { slug: "acme" } };
const file = () => join(home, ".config", "reelmill", "profiles.json");
const run = (...args: string[]) => inProcess({ HOME: home }, ...args);
const keysSeen = ({ seen }: Awaited<ReturnType<typeof scriptedServer>>) =>
	seen.map(({ headers }) => headers.authorization);

/** Logs in with a key that is typed, or comes over a pipe. */
async function login(typed: string, args: string[], isTerminal = false) {
	const raw: boolean[] = [];
	const [stdout, stderr]: string[][] = [[], []];
	const chunks = async function* () {
		for (const character of typed) yield character;
	};
	const stdin = Object.assign(chunks(), { isTTY: isTerminal, setRawMode: (on: boolean) => raw.push(on) });
	const code = await runCli(["login", ...args], {
		environment: { HOME: home },
		stdin,
		stdout: { write: (text) => stdout?.push(text) },
		stderr: { write: (text) => stderr?.push(text) },
		signal: new AbortController().signal,
	});
	return { code, stdout: stdout?.join(""), stderr: stderr?.join(""), raw };
}

describe("login", () => {
	it("asks for the key without showing it, proves it, and keeps it for its user alone", async () => {
		await using server = await scriptedServer(acme, { status: 200, body: { max_file_bytes: 1 } });
		const { code, stdout, stderr, raw } = await login("ek_wx\u007fell\r", ["--url", server.baseUrl], true);
		expect({ code, stderr, raw }).toEqual({ code: 0, stderr: "The domain's key (ek_...): \n", raw: [true, false] });
		expect(stdout).toBe(`Profile default is kept in ${file()}: domain acme of ${server.baseUrl}.\n`);
		expect((await stat(file())).mode & 0o777).toBe(0o600);
		expect((await stat(join(home, ".config", "reelmill"))).mode & 0o777).toBe(0o700);
		expect(await run("limits")).toMatchObject({ code: 0 });
		expect(keysSeen(server)).toEqual(["Bearer ek_well", "Bearer ek_well"]);
	});

	it("reads the first line of a pipe, and keeps nothing of a key that is refused", async () => {
		await using server = await scriptedServer({ status: 401, body: { error: "unauthorized", message: "No." } });
		expect(await login("ek_wrong\nmore\n", ["--url", server.baseUrl])).toMatchObject({ code: 1, raw: [false, false] });
		expect(keysSeen(server)).toEqual(["Bearer ek_wrong"]);
		await expect(stat(file())).rejects.toThrow("ENOENT");
		expect(await login("", ["--url", server.baseUrl])).toMatchObject({ code: 1 });
		expect(await login("ek_a\n", [])).toMatchObject({ code: 2, stderr: expect.stringContaining("--url") });
		expect(await login("ek_\u0003", ["--url", server.baseUrl], true)).toMatchObject({ code: 1 });
	});

	it("keeps profiles apart, lists them without their keys, and forgets them", async () => {
		await using one = await scriptedServer(acme, { status: 200, body: {} });
		await using two = await scriptedServer({ status: 200, body: {} });
		await login("ek_of-one\n", ["--url", one.baseUrl]);
		await login("admin-of-two\n", ["--url", two.baseUrl, "--profile", "two", "--operator"]);
		expect(
			(await run("profiles", "list", "--json")).stdout
				.trim()
				.split("\n")
				.map((line) => JSON.parse(line)),
		).toEqual([
			{ name: "default", current: false, url: one.baseUrl, api_key: "...-one", admin_key: null },
			{ name: "two", current: true, url: two.baseUrl, api_key: null, admin_key: "...-two" },
		]);
		await run("limits", "--profile", "default");
		expect(keysSeen(one)).toEqual(["Bearer ek_of-one", "Bearer ek_of-one"]);
		expect((await run("stats")).code).toBe(0);
		expect(keysSeen(two)).toEqual(["Bearer admin-of-two", "Bearer admin-of-two"]);
		expect((await run("profiles", "use", "default")).code).toBe(0);
		expect((await run("limits")).code).toBe(0);
		expect((await inProcess({ HOME: home, REELMILL_PROFILE: "none" }, "limits")).stderr).toContain("only default, two");
		expect((await run("logout", "--profile", "two")).code).toBe(0);
		expect(await readFile(file(), "utf8")).not.toContain("admin-of-two");
		expect(await run("limits", "--profile", "two")).toMatchObject({ code: 2 });
	});
});

describe("a profile", () => {
	it("gives way to the environment, and its key goes to its own address alone", async () => {
		await using own = await scriptedServer(acme, { status: 200, body: {} });
		await using other = await scriptedServer({ status: 200, body: {} });
		await login("ek_of-own\n", ["--url", own.baseUrl]);
		const at = (environment: Record<string, string>) => inProcess({ HOME: home, ...environment }, "limits");
		expect((await at({ REELMILL_API_KEY: "ek_environment" })).code).toBe(0);
		expect((await at({ REELMILL_URL: other.baseUrl, REELMILL_API_KEY: "ek_environment" })).code).toBe(0);
		expect(await at({ REELMILL_URL: other.baseUrl })).toMatchObject({
			code: 2,
			stderr: expect.stringContaining("REELMILL_API_KEY"),
		});
		expect((await at({ REELMILL_URL: own.baseUrl })).code).toBe(0);
		expect(keysSeen(own)).toEqual(["Bearer ek_of-own", "Bearer ek_environment", "Bearer ek_of-own"]);
		expect(keysSeen(other)).toEqual(["Bearer ek_environment"]);
	});

	it("is refused where others can read it, and where the file is damaged", async () => {
		await using server = await scriptedServer(acme);
		await login("ek_a\n", ["--url", server.baseUrl]);
		await chmod(file(), 0o644);
		expect(await run("limits")).toMatchObject({ code: 2, stderr: expect.stringContaining("chmod 600") });
		await chmod(file(), 0o600);
		await writeFile(file(), "{}");
		expect(await run("limits")).toMatchObject({ code: 2, stderr: expect.stringContaining("is damaged") });
	});
});
