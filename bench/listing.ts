import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { VideoState } from "@reelmill/contracts";
import { createEngine, type Engine, readMigrations, type TenantPrincipal } from "@reelmill/engine";
import { openTestDatabase, startTestServer } from "@reelmill/postgres/testing";
import { seedVideos } from "../packages/engine/test/support/seed-videos.ts";
import { engineOptions } from "./engine-options.ts";

type Subject = { readonly engine: Engine; readonly principal: TenantPrincipal; close(): Promise<void> };
type Where = { readonly state?: VideoState; readonly cursor?: string };

const pageSize = 20;
const requestsPerRound = 100;
const many = 1_000_000;
const few = 1000;

/** Opens an engine over its own database, with one domain that has `count` videos. */
async function openSubject(serverUrl: string, directory: string, count: number): Promise<Subject> {
	const { database, close } = await openTestDatabase({ serverUrl });
	const engine = createEngine(engineOptions(database, directory));
	await database.migrate(await readMigrations());
	const { domain, api_key } = await engine.domains.create({ slug: "listing" });
	const started = performance.now();
	await seedVideos(database, domain.id, count);
	await database.query({ text: "vacuum analyze reelmill.videos", values: [] });
	console.log(`  ${count} videos made in ${((performance.now() - started) / 1000).toFixed(0)} s`);
	return { engine, principal: await engine.keys.authenticate(`Bearer ${api_key}`), close };
}

/**
 * Returns the cursor of page `number`, found by walking there. A cursor isn't bound to the size of pages, so most of
 * the way goes in pages of a hundred.
 */
async function cursorOfPage({ engine, principal }: Subject, number: number, state?: VideoState): Promise<string> {
	let cursor: string | undefined;
	for (let left = (number - 1) * pageSize; left > 0; ) {
		const limit = Math.min(100, left);
		const page = await engine.videos.list(principal, { limit, cursor, state });
		if (page.next_cursor === null) throw new Error(`there is no page ${number}`);
		cursor = page.next_cursor;
		left -= limit;
	}
	if (cursor === undefined) throw new Error("page 1 has no cursor");
	return cursor;
}

/** Returns the milliseconds that one full page takes, when the requests come one after the other. */
async function measure({ engine, principal }: Subject, where: Where): Promise<number> {
	const started = performance.now();
	for (let request = 0; request < requestsPerRound; request++) {
		const { data } = await engine.videos.list(principal, { limit: pageSize, ...where });
		if (data.length !== pageSize) throw new Error(`a page of ${data.length} videos`);
	}
	return (performance.now() - started) / requestsPerRound;
}

const median = (values: readonly number[]): number =>
	values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/**
 * Measures pages of the list of videos at a million rows, each against the same page at a thousand rows, or the last
 * page there. The two run in turn, and the ratios count.
 */
export async function listing(rounds = 7): Promise<void> {
	const directory = await mkdtemp(join(tmpdir(), "reelmill-bench-"));
	const server = await startTestServer();
	try {
		const large = await openSubject(server.url, directory, many);
		const small = await openSubject(server.url, directory, few);
		const cases: { name: string; large: Where; small: Where }[] = [
			{ name: "page 1", large: {}, small: {} },
			{
				name: "page 10,000 (50)",
				large: { cursor: await cursorOfPage(large, 10_000) },
				small: { cursor: await cursorOfPage(small, 50) },
			},
			{ name: "page 1 of a common state", large: { state: "expired" }, small: { state: "expired" } },
			{
				name: "page 10,000 (40) of a common state",
				large: { state: "expired", cursor: await cursorOfPage(large, 10_000, "expired") },
				small: { state: "expired", cursor: await cursorOfPage(small, 40, "expired") },
			},
			{ name: "page 1 of a rare state, 20 rows", large: { state: "failed" }, small: { state: "failed" } },
		];
		for (const { large: ofLarge, small: ofSmall, name } of cases) {
			const [millisecondsLarge, millisecondsSmall, ratios]: [number[], number[], number[]] = [[], [], []];
			for (let round = 0; round <= rounds; round++) {
				const taken = { large: await measure(large, ofLarge), small: await measure(small, ofSmall) };
				if (round === 0) continue;
				millisecondsLarge.push(taken.large);
				millisecondsSmall.push(taken.small);
				ratios.push(taken.large / taken.small);
			}
			const [ofMany, ofFew] = [median(millisecondsLarge).toFixed(2), median(millisecondsSmall).toFixed(2)];
			console.log(
				`listing: ${name}: ${ofMany} ms at ${many} rows, ${ofFew} ms at ${few}:`,
				`ratio ${median(ratios).toFixed(2)} (medians of ${rounds})`,
			);
		}
		await large.close();
		await small.close();
	} finally {
		await server.close();
		await rm(directory, { recursive: true, force: true });
	}
}

if (import.meta.main) await listing();
