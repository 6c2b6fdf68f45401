import { runCli } from "reelmill";

export async function available(url: string, key: string): Promise<string[]> {
	const lines: string[] = [];
	const code = await runCli(["videos", "list", "--all", "--json"], {
		environment: { REELMILL_URL: url, REELMILL_API_KEY: key },
		stdout: { write: (text) => lines.push(text) },
		stderr: process.stderr,
		signal: AbortSignal.timeout(60_000),
	});
	if (code !== 0) throw new Error(`reelmill ended with ${code}`);
	return lines.map((line) => JSON.parse(line).id);
}
