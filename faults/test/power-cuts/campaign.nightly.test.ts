import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runPowerCuts } from "../../power-cuts/campaign.ts";
import { powerCutText } from "../../power-cuts/summary.ts";

const isRoot = process.getuid?.() === 0;

it.runIf(isRoot)(
	"lacks no acknowledged byte, and queues no video without its bytes, when the power is cut",
	async () => {
		const directory = await mkdtemp(join(tmpdir(), "reelmill-power-cuts-"));
		try {
			const result = await runPowerCuts({ directory, cuts: 3, seed: 8, uploaders: 3, megabytes: 96 });
			expect(result.losses.length + result.wrong.length, powerCutText(result)).toBe(0);
			expect(result.bytes).toBeGreaterThan(0);
		} finally {
			await rm(directory, { recursive: true, force: true });
		}
	},
);
