import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, createClient } from "@reelmill/client";
import { openTestDatabase, type TestDatabase } from "@reelmill/postgres/testing";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { launchChromium } from "../../../browser/test/support/chromium.ts";
import { type Server, startServer } from "./server.ts";
import { standIn } from "./stand-in.ts";
import { type Findings, watch } from "./watch.ts";

/** A page that is watched: see {@link watch}. */
export type WatchedPage = Page & { readonly findings: Findings };

export type ConsoleForTests = {
	/** The address under which the page is served, such as `http://127.0.0.1:4711`. */
	readonly url: string;
	readonly browser: Browser;
	readonly database: TestDatabase["database"];
	/** Calls as the operator. */
	readonly admin: Client;
	/** Calls as the tenant of the domain "default". */
	readonly tenant: Client;
	/** Makes a domain, and resolves to its slug, its id and its calls. */
	createDomain(slug: string): Promise<{ slug: string; id: string; tenant: Client; apiKey: string }>;
	/** Opens a page that nobody is signed in to. */
	open(path: string, options?: BrowserContextOptions): Promise<WatchedPage>;
	/** Signs in as the operator, and opens a path below `/console`, such as `/d/default/videos`. */
	signIn(path: string, options?: BrowserContextOptions): Promise<WatchedPage>;
	/** Stops the server and starts it again at the same address. `meanwhile` runs between both. */
	restart(meanwhile?: () => Promise<void>): Promise<void>;
};

const adminKey = "operators-key-of-the-console-tests-0123456789";
export const consoleSecret = "secret-of-the-console-tests-0123456789abcdef";

/**
 * Gives a test file one real server on a database of its own, and one Chromium. Call it once at the top of the file;
 * what it returns can be used in tests and hooks. Its pages are checked when they close: no request to another host, no
 * violation of the content security policy, no error of a script.
 */
export function openConsole(settings: Readonly<Record<string, string>> = {}): ConsoleForTests {
	const made = {} as ConsoleForTests;
	const opened: (() => Promise<unknown>)[] = [];
	const pages: WatchedPage[] = [];
	beforeAll(async () => {
		const test = await openTestDatabase({
			serverUrl: process.env["REELMILL_TEST_DATABASE_URL"],
			template: process.env["REELMILL_TEST_DATABASE_TEMPLATE"],
		});
		opened.push(() => test.close());
		const directory = await mkdtemp(join(tmpdir(), "reelmill-console-"));
		opened.push(() => rm(directory, { recursive: true, force: true }));
		const start = (port: string): Promise<Server> =>
			startServer({ directory, databaseUrl: test.url, settings: { PORT: port, ADMIN_KEY: adminKey, ...settings } });
		let server = await start("0");
		opened.push(() => server.stop());
		const page = await standIn(server, adminKey, consoleSecret);
		opened.push(() => page.close());
		const browser = await launchChromium();
		opened.push(() => browser.close());
		const client = (credential: string) => createClient({ baseUrl: server.url, credential });
		const open = async (path: string, options: BrowserContextOptions = {}) => {
			const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
			await context.grantPermissions(["clipboard-read", "clipboard-write"]);
			const opening = await context.newPage();
			const watched = Object.assign(opening, { findings: watch(opening, page.url) });
			pages.push(watched);
			await opening.goto(`${page.url}/console${path}`);
			return watched;
		};
		Object.assign(made, {
			url: page.url,
			browser,
			database: test.database,
			admin: client(adminKey),
			tenant: client(server.tenantKey),
			async createDomain(slug: string) {
				const { domain, api_key: apiKey } = await made.admin.call("createDomain", { body: { slug } });
				return { slug, id: domain.id, tenant: client(apiKey), apiKey };
			},
			open,
			async signIn(path: string, options?: BrowserContextOptions) {
				const signing = await open(`/sign-in?back=${encodeURIComponent(path)}`, options);
				await signing.getByLabel("Console secret").fill(consoleSecret);
				await signing.getByRole("button", { name: "Sign in", exact: true }).click();
				await signing.locator("main#main").waitFor();
				return signing;
			},
			async restart(meanwhile?: () => Promise<void>) {
				const { port } = new URL(server.url);
				await server.stop();
				await meanwhile?.();
				server = await start(port);
			},
		} satisfies ConsoleForTests);
	});
	afterAll(async () => {
		const unexpected = pages.flatMap(({ findings }) => findings.unexpected());
		while (opened.length > 0) await opened.pop()?.();
		if (unexpected.length > 0) throw new Error(`Pages did what they must not:\n${unexpected.join("\n")}`);
	});
	return made;
}
