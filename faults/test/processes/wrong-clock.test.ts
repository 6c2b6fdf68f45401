import { spawn } from "node:child_process";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { openClock } from "../../world/processes/clock.ts";

const preload = fileURLToPath(new URL("../../processes/wrong-clock.ts", import.meta.url));
const program =
	"setInterval(() => console.log(JSON.stringify([Date.now(), new Date().getTime(), performance.now()])), 20)";

it("steps a running program's wall clock, and no other measure of time", async () => {
	await using directory = await mkdtempDisposable(join(tmpdir(), "reelmill-clock-"));
	const clock = openClock(directory.path, "server 0");
	const child = spawn(process.execPath, ["--import", preload, "--eval", program], {
		env: { ...process.env, ...clock.environment },
		stdio: ["ignore", "pipe", "inherit"],
	});
	try {
		let last = 0;
		const wanted = [0, -3600, 100, 0];
		clock.step(wanted[0] as number);
		for await (const line of createInterface({ input: child.stdout })) {
			const [now, made, monotonic] = JSON.parse(line) as [number, number, number];
			expect(made - now).toBeLessThan(1000);
			expect(monotonic).toBeGreaterThan(last);
			last = monotonic;
			const wrongBy = (now - Date.now()) / 1000;
			if (Math.abs(wrongBy - (wanted[0] as number)) > 10) continue;
			wanted.shift();
			if (wanted.length === 0) break;
			clock.step(wanted[0] as number);
		}
		expect(wanted).toEqual([]);
	} finally {
		child.kill();
	}
});
