import { addressOf, startProgram } from "../program.ts";

/** A reference server in a process of its own. */
export type Server = {
	/** Which release it is of, for people. */
	readonly name: string;
	readonly url: string;
	/** Stops it in order, and returns its exit code. */
	stop(): Promise<number | null>;
};

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
	const server = startProgram(process.execPath, [program], { env: { PATH: process.env.PATH, ...settings } });
	server.child.stderr?.on("data", (text: Buffer) => told(`${name}: ${text}`));
	await server.until((said) => said.includes("Reelmill is ready."));
	return { name, url: await addressOf(server), stop: () => server.stop() };
}
