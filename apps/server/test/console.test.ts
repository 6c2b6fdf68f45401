import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTestDatabase } from "@reelmill/postgres/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { buildConsolePage } from "../../../scripts/console/page.mjs";
import { readConfig } from "../src/config.ts";
import { keepConsoleSecret } from "../src/start/console.ts";
import { welcome } from "../src/welcome.ts";
import { type OpenServer, openServer } from "./support/open-server.ts";

const secret = "secret-of-the-console-tests-0123456789abcdef";
const html = { accept: "text/html" };
let directory: string;
let database: Awaited<ReturnType<typeof openTestDatabase>>;
let server: OpenServer | undefined;
beforeAll(async () => {
	await buildConsolePage();
	database = await openTestDatabase({
		serverUrl: process.env.REELMILL_TEST_DATABASE_URL,
		template: process.env.REELMILL_TEST_DATABASE_TEMPLATE,
	});
	directory = await mkdtemp(join(tmpdir(), "reelmill-console-"));
});
afterAll(async () => {
	await database.close();
	await rm(directory, { recursive: true, force: true });
});
afterEach(async () => {
	await server?.stop();
	server = undefined;
});
const start = async (settings: Record<string, string>) => {
	server = await openServer(directory, database.url, settings);
	return server;
};
const signIn = (url: string, body: object) =>
	fetch(`${url}/console/v1/session`, {
		method: "POST",
		headers: { "x-service-console": "1", "content-type": "application/json" },
		body: JSON.stringify(body),
	});

describe("a server with a console", () => {
	it("shows a link to the page that signs in once, and takes the secret at any time", async () => {
		const { url, told } = await start({ CONSOLE_SECRET: secret });
		const link = told.console?.signInLink ?? "";
		expect(welcome(told)).toContain(`Console        ${link}   (signs in once, within 15 minutes)\n`);
		const [page = "", token] = link.split("#");
		expect(page).toBe(`${url}/console/sign-in`);
		const shown = await fetch(page);
		expect([shown.status, await shown.text()]).toEqual([200, expect.stringContaining('<div id="root">')]);
		expect(shown.headers.get("content-security-policy")).toContain("script-src 'self'");
		const root = await fetch(`${url}/`, { headers: html, redirect: "manual" });
		expect([root.status, root.headers.get("location")]).toEqual([302, "/console/"]);

		const signedIn = await signIn(url, { link: token });
		expect(signedIn.status).toBe(200);
		const cookie = (signedIn.headers.get("set-cookie") ?? "").split(";", 1)[0] ?? "";
		expect((await fetch(`${url}/admin/v1/stats`, { headers: { cookie } })).status).toBe(200);
		expect((await signIn(url, { link: token })).status).toBe(401);
		expect((await signIn(url, { secret })).status).toBe(200);
	});

	it("says how to sign in where there is no secret", async () => {
		const { url, told } = await start({});
		expect(welcome(told)).toContain(`Console        ${url}/console/   (set REELMILL_CONSOLE_SECRET to sign in)`);
		expect((await signIn(url, { secret })).status).toBe(404);
	});

	it("shows the page's address alone where people sign in at an identity provider", async () => {
		const provider = { OIDC_ISSUER: "https://login.example", OIDC_CLIENT_ID: "reelmill" };
		const { url, told } = await start({ ...provider, CONSOLE_ADMINS: "ada@acme.example" });
		expect(welcome(told)).toContain(`Console        ${url}/console/\n`);
	});

	it("leaves it out altogether if told to", async () => {
		const { url, told } = await start({ CONSOLE: "off", CONSOLE_SECRET: secret });
		expect(welcome(told)).not.toContain("Console");
		for (const path of ["/", "/console", "/console/", "/console/v1/session"])
			expect((await fetch(`${url}${path}`, { headers: html })).status).toBe(404);
		expect((await signIn(url, { secret })).status).toBe(404);
	});
});

describe("the secret of a server with its embedded database", () => {
	let own: string;
	beforeEach(async () => {
		own = await mkdtemp(join(directory, "own-"));
	});
	const config = (more: Record<string, string> = {}) => readConfig({ REELMILL_DATA_DIR: own, ...more });
	let count = 0;
	const make = () => `made-${count++}`;

	it("is made once, for its owner's eyes alone", async () => {
		const made = await keepConsoleSecret(config(), make);
		expect(made).toMatch(/^made-/);
		expect(await keepConsoleSecret(config(), make)).toBe(made);
		const file = join(own, "console.secret");
		expect((await readFile(file, "utf8")).trim()).toBe(made);
		expect((await stat(file)).mode & 0o777).toBe(0o600);
	});

	it("is not made if a setting gives it, the database is shared, or there is no console", async () => {
		expect(await keepConsoleSecret(config({ REELMILL_CONSOLE_SECRET: secret }), make)).toBe(secret);
		expect(await keepConsoleSecret(config({ REELMILL_DATABASE_URL: "postgres://db.example/x" }), make)).toBeUndefined();
		expect(await keepConsoleSecret(config({ REELMILL_CONSOLE: "off" }), make)).toBeUndefined();
		await expect(stat(join(own, "console.secret"))).rejects.toMatchObject({ code: "ENOENT" });
	});
});
