import { readFile } from "node:fs/promises";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { launchChromium } from "../../../browser/test/support/chromium.ts";
import { type Firefox, openFirefox } from "../../../browser/test/support/firefox.ts";
import { backEnds, backEndsInPages } from "./back-ends.ts";
import { blockedWays } from "./blocked-ways.ts";
import type { BrowserKind, NodeKind, Scene, Tab } from "./kind.ts";
import { players } from "./players.ts";
import { queues } from "./queues.ts";
import { uploadNames } from "./upload-names.ts";
import { webhooks } from "./webhooks.ts";
import { openWorld, type World } from "./world.ts";

const inPages = {
	"the name of an upload": uploadNames,
	"a queue": queues,
	"a blocked way": blockedWays,
	"a player": players,
	"a back end": backEndsInPages,
};
const inNode = { "a webhook": webhooks, "a back end": backEnds };

let world: World;
let chromium: Browser;
let firefox: Firefox;
beforeAll(async () => {
	[world, chromium, firefox] = await Promise.all([openWorld(), launchChromium(), openFirefox()]);
});
afterAll(async () => {
	await chromium?.close();
	await firefox?.[Symbol.asyncDispose]();
	await world?.close();
});
afterEach(() => world?.proxy.clear());

type Context = {
	newPage(): Promise<Tab>;
	setOffline(offline: boolean): Promise<void>;
	close(): Promise<void>;
};
const browsers: Record<string, () => Promise<Context>> = {
	Chromium: async () => (await chromium.newContext()) as Context,
	Firefox: () => firefox.newContext(),
};

let people = 0;
/** Acts a kind in a browser of somebody's own, and expects that the pages left no error uncaught. */
async function actIn(context: Context, { act }: BrowserKind): Promise<void> {
	const person = `person-${people++}`;
	const tabs: Tab[] = [];
	const goto = async (tab: Tab, path: string, who: string, files: Parameters<Scene["reload"]>[1]) => {
		await tab.goto(`${world.site}${path}${who === "" ? "" : `?person=${who}`}`);
		await tab.waitForFunction("globalThis.actions !== undefined");
		if (files.length > 0)
			await tab.setInputFiles(
				"input",
				files.map(({ path }) => path),
			);
	};
	await act({
		world,
		person,
		async tab(files = [], { path = "/", person: who = person } = {}) {
			const tab = await context.newPage();
			tabs.push(tab);
			await goto(tab, path, who, files);
			return tab;
		},
		reload: (tab, files, { path = "/", person: who = person } = {}) => goto(tab, path, who, files),
		setOffline: (offline) => context.setOffline(offline),
	});
	for (const tab of tabs) expect(await tab.evaluate("globalThis.actions?.uncaught ?? []").catch(() => [])).toEqual([]);
}

for (const [browser, newContext] of Object.entries(browsers))
	for (const [area, kinds] of Object.entries(inPages))
		describe(`${area}, in ${browser}, from the packed packages`, () => {
			it.each(kinds.map((kind) => [kind.kind, kind.tried, kind] as const))("%s: %s", async (_, __, kind) => {
				const context = await newContext();
				await actIn(context, kind);
				await context.close();
			});
		});

for (const [area, kinds] of Object.entries(inNode))
	describe(`${area}, from the packed packages`, () => {
		it.each(kinds.map((kind) => [kind.kind, kind.tried, kind] as const))("%s: %s", async (_, __, kind) => {
			await kind.act(world);
		});
	});

it("lists in the guide what is tried, and nothing else", async () => {
	const guide = await readFile(new URL("../../../../docs/guides/reported-faults.md", import.meta.url), "utf8");
	const rows = [...guide.matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm)].map(([, kind, tried]) => [kind, tried]);
	const all: readonly (BrowserKind | NodeKind)[] = [...Object.values(inPages), ...Object.values(inNode)].flat();
	const listed = rows.filter(([kind]) => kind !== "Kind" && !/^-+$/.test(kind ?? ""));
	expect(listed.sort()).toEqual(all.map(({ kind, tried }) => [kind, tried]).sort());
});
