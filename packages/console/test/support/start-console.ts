import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, createClient } from "@reelmill/client";
import { openTestDatabase, type TestDatabase } from "@reelmill/postgres/testing";
import type { Browser, BrowserContextOptions, Cookie, Page } from "playwright-core";
import { launchChromium } from "../../../browser/test/support/chromium.ts";
import { type Server, startServer } from "./server.ts";
import { type Findings, watch } from "./watch.ts";

/** A page that is watched: see {@link watch}. */
export type WatchedPage = Page & { readonly findings: Findings };

export type StartedConsole = {
	/** The address under which the page is served, such as `http://127.0.0.1:4711`. */
	readonly url: string;
	/** The server's data directory. */
	readonly directory: string;
	/** The link that the server printed at its last start; it signs in once. */
	readonly signInLink: string;
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
	/**
	 * Opens a path below `/console`, such as `/d/default/videos`, as the operator. The session of the call before is used
	 * again if it still holds: an address may sign in with the secret ten times in ten minutes.
	 */
	signIn(path: string, options?: BrowserContextOptions): Promise<WatchedPage>;
	/** Stops the server and starts it again at the same address. `meanwhile` runs between both. */
	restart(meanwhile?: () => Promise<void>): Promise<void>;
	/** Closes all of it. Resolves to what its pages did that none of the console's may do. */
	close(): Promise<readonly string[]>;
};

const adminKey = "operators-key-of-the-console-tests-0123456789";
export const consoleSecret = "secret-of-the-console-tests-0123456789abcdef";

/**
 * Starts one real server on a database of its own, and one Chromium. `settings` have their names without `REELMILL_`.
 */
export async function startConsole(settings: Readonly<Record<string, string>> = {}): Promise<StartedConsole> {
	const opened: (() => Promise<unknown>)[] = [];
	const pages: WatchedPage[] = [];
	const close = async () => {
		while (opened.length > 0) await opened.pop()?.();
		return pages.flatMap(({ findings }) => findings.unexpected());
	};
	try {
		const test = await openTestDatabase({
			serverUrl: process.env["REELMILL_TEST_DATABASE_URL"],
			template: process.env["REELMILL_TEST_DATABASE_TEMPLATE"],
		});
		opened.push(() => test.close());
		const directory = await mkdtemp(join(tmpdir(), "reelmill-console-"));
		opened.push(() => rm(directory, { recursive: true, force: true }));
		const all = { ADMIN_KEY: adminKey, CONSOLE_SECRET: consoleSecret, ...settings };
		const start = (port: string): Promise<Server> =>
			startServer({ directory, databaseUrl: test.url, settings: { PORT: port, ...all } });
		let server = await start("0");
		opened.push(() => server.stop());
		const { url } = server;
		const browser = await launchChromium();
		opened.push(() => browser.close());
		const client = (credential: string) => createClient({ baseUrl: url, credential });
		const admin = client(adminKey);
		let session: Cookie[] = [];
		const holds = async (cookies: readonly Cookie[]): Promise<boolean> => {
			const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
			return cookie !== "" && (await fetch(`${url}/console/v1/session`, { headers: { cookie } })).ok;
		};
		const open = async (path: string, options: BrowserContextOptions = {}): Promise<WatchedPage> => {
			const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
			await context.grantPermissions(["clipboard-read", "clipboard-write"]);
			const page = await context.newPage();
			const watched = Object.assign(page, { findings: watch(page, url) });
			pages.push(watched);
			await page.goto(`${url}/console${path}`);
			return watched;
		};
		return {
			url,
			directory,
			get signInLink() {
				return server.signInLink;
			},
			browser,
			database: test.database,
			admin,
			tenant: client(server.tenantKey),
			async createDomain(slug) {
				const { domain, api_key: apiKey } = await admin.call("createDomain", { body: { slug } });
				return { slug, id: domain.id, tenant: client(apiKey), apiKey };
			},
			open,
			async signIn(path, options) {
				if (await holds(session)) {
					const page = await open(path, { storageState: { cookies: session, origins: [] }, ...options });
					await page.locator("main#main").waitFor();
					return page;
				}
				const page = await open(`/sign-in?back=${encodeURIComponent(path)}`, options);
				await page.getByLabel("Console secret").fill(consoleSecret);
				await page.getByRole("button", { name: "Sign in", exact: true }).click();
				await page.locator("main#main").waitFor();
				session = await page.context().cookies();
				return page;
			},
			async restart(meanwhile) {
				await server.stop();
				await meanwhile?.();
				server = await start(new URL(url).port);
			},
			close,
		};
	} catch (error) {
		await close();
		throw error;
	}
}
