import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const require = createRequire(import.meta.url);

export type Prism = { readonly url: string; close(): Promise<void> };

/** What prism found wrong: `location` begins with `request` or `response`. */
export type Violation = { readonly location: readonly string[]; readonly severity: string; readonly message: string };

/** The violations that prism wrote into an answer. */
export const violationsOf = (headers: Readonly<Record<string, string | string[] | undefined>>): Violation[] =>
	JSON.parse(headers["sl-violations"]?.toString() ?? "[]") as Violation[];

/**
 * Starts prism as a proxy before `upstream`. It knows nothing of us but the document: it holds every request and
 * answer against it and names what differs in the answer's `sl-violations`. Rejects if it doesn't start.
 */
export async function startPrism(document: string, upstream: string): Promise<Prism> {
	const program = require.resolve("@stoplight/prism-cli");
	// prism would give up an address that takes five seconds to answer.
	const folder = await mkdtemp(join(tmpdir(), "reelmill-prism-"));
	const file = join(folder, "openapi.json");
	await writeFile(file, document);
	const child = spawn(
		process.execPath,
		[program, "proxy", file, upstream, "--port", "0", "--host", "127.0.0.1", "--no-cors"],
		{
			stdio: ["ignore", "pipe", "pipe"],
			env: { ...process.env, FORCE_COLOR: "0" },
		},
	);
	const kill = () => child.kill();
	process.once("exit", kill);
	const ended = new Promise<void>((resolve) => child.once("close", () => resolve())).then(() =>
		rm(folder, { recursive: true }),
	);
	const lines: string[] = [];
	const url = await new Promise<string>((resolve, reject) => {
		for (const stream of [child.stdout, child.stderr]) {
			createInterface(stream).on("line", (line) => {
				if (lines.length < 100) lines.push(line);
				const [address] = /(?<=listening on )http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
				if (address !== undefined) resolve(address);
			});
		}
		void ended.then(() => reject(new Error(`prism ended before it listened:\n${lines.join("\n")}`)));
	});
	return {
		url,
		async close() {
			process.off("exit", kill);
			kill();
			await ended;
		},
	};
}
