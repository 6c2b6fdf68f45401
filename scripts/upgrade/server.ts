import { spawn } from "node:child_process";
import { once } from "node:events";

/** A reference server in a process of its own. */
export type Server = {
	/** Which release it is of, for people. */
	readonly name: string;
	readonly url: string;
	/** Stops it in order, and returns its exit code. */
	stop(): Promise<number | null>;
};

const health = "/v1/health";

/**
 * Starts a server, and resolves once it is ready. `told` gets what it logs.
 *
 * @throws {Error} when it ends before; the message has what it said.
 */
export async function startServer(
	name: string,
	program: string,
	settings: Readonly<Record<string, string>>,
	told: (text: string) => void,
): Promise<Server> {
	const child = spawn(process.execPath, [program], {
		env: { PATH: process.env.PATH, ...settings },
		stdio: ["ignore", "pipe", "pipe"],
	});
	const ended = once(child, "exit").then(([code]) => code as number | null);
	let said = "";
	for (const stream of [child.stdout, child.stderr])
		stream.on("data", (text: Buffer) => {
			said += text;
			if (stream === child.stderr) told(`${name}: ${text}`);
		});
	while (!said.includes("Reelmill is ready.")) {
		if (child.exitCode !== null) throw new Error(`The server of ${name} ended with ${child.exitCode}: ${said}`);
		await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
	}
	return {
		name,
		url:
			said
				.split(/\s/)
				.find((word) => word.endsWith(health))
				?.slice(0, -health.length) ?? "",
		async stop() {
			child.kill("SIGTERM");
			return ended;
		},
	};
}
