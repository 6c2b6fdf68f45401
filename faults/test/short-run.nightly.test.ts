import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCampaign } from "../campaign.ts";
import { createHistory, entriesOf } from "../history/history.ts";
import { judge } from "../invariants/index.ts";
import { shortScale } from "../scales.ts";
import { breachText } from "../summary.ts";

const seed = 20_261_122;
/** The factor for every bound in time: other tests run at the same time. */
const patience = 5;

it("keeps every promise while everything is broken once, and twenty processes are killed", async () => {
	await using directory = await mkdtempDisposable(join(tmpdir(), "reelmill-faults-"));
	const history = createHistory(join(directory.path, "history.jsonl"));
	const options = {
		seed,
		kills: 20,
		each: 0,
		minutes: 10,
		patience,
		...shortScale,
		directory: directory.path,
		history,
		onProgress: () => undefined,
	};
	const { final, done } = await runCampaign(options);
	const { lock, pendingUpload } = shortScale.scale.windows;
	const verdicts = judge({
		history: history.entries,
		final,
		lockSeconds: lock,
		pendingUploadSeconds: pendingUpload,
		patience,
	});
	const broken = verdicts.filter(({ breaches }) => breaches.length > 0);
	expect(broken.map((verdict) => breachText(verdict, seed)).join("\n")).toBe("");
	// A fault that overlaps another one may find nothing to do: a server that is down can't be stopped.
	expect([...done.values()].filter((times) => times > 0).length).toBeGreaterThan(done.size * 0.8);
	expect(entriesOf(history.entries, "killed").length).toBeGreaterThanOrEqual(20);
	expect(final.videos.some(({ state }) => state === "available")).toBe(true);
	expect(final.imports.some(({ status }) => status === "done")).toBe(true);
}, 900_000);
