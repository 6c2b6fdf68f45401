import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runPowerCuts } from "../../power-cuts/campaign.ts";
import { powerCutText } from "../../power-cuts/summary.ts";

const isRoot = process.getuid?.() === 0;

it.runIf(isRoot)(
	"lacks no acknowledged byte, and queues no video without its bytes, when the power is cut",
	async () => {
		await using directory = await mkdtempDisposable(join(tmpdir(), "reelmill-power-cuts-"));
		const result = await runPowerCuts({ directory: directory.path, cuts: 3, seed: 8, uploaders: 3, megabytes: 96 });
		expect(result.losses.length + result.wrong.length, powerCutText(result)).toBe(0);
		expect(result.bytes).toBeGreaterThan(0);
	},
);
