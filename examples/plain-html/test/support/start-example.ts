import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, vi } from "vitest";

/** Runs an example's program with these settings alone, and resolves when its page can be opened. */
export async function startExample(name: string, settings: Readonly<Record<string, string>>) {
	const { PATH } = process.env;
	const program = fileURLToPath(new URL(`../../../${name}/src/main.ts`, import.meta.url));
	const child = spawn(process.execPath, [program], {
		env: { PATH, PORT: "0", ...settings },
		stdio: ["ignore", "pipe", "inherit"],
	});
	let said = "";
	child.stdout.on("data", (text) => {
		said += text;
	});
	/** Stops it by a signal, and returns its exit code. Done twice, it returns the same. */
	const stop = async (): Promise<number | null> => {
		if (child.exitCode === null && child.signalCode === null) {
			child.kill("SIGTERM");
			await once(child, "exit");
		}
		return child.exitCode;
	};
	try {
		await vi.waitUntil(() => child.exitCode !== null || /^Open .*\n/m.test(said), { timeout: 120_000 });
		const [, service = "", page = ""] = /^Reelmill runs at (.*)\.\nOpen (.*)\n/m.exec(said) ?? [];
		expect(page).not.toBe("");
		return { service, page, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}
