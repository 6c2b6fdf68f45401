import { fileURLToPath } from "node:url";
import { startProgram } from "../../../../scripts/programs/program.ts";

/** Runs an example's program with these settings and npm's alone, and resolves when its page can be opened. */
export async function startExample(name: string, settings: Readonly<Record<string, string>>) {
	const npms = Object.entries(process.env).filter(([name]) =>
		/^(?:PATH|HOME|npm_config_.*|NODE_EXTRA_CA_CERTS)$/i.test(name),
	);
	const program = fileURLToPath(new URL(`../../../${name}/src/main.ts`, import.meta.url));
	const example = startProgram(process.execPath, [program], {
		env: { ...Object.fromEntries(npms), PORT: "0", ...settings },
		stdio: ["ignore", "pipe", "inherit"],
	});
	await example.until((said) => /^Open .*\n/m.test(said));
	const [, service = "", page = ""] = /^Reelmill runs at (.*)\.\nOpen (.*)\n/m.exec(example.said()) ?? [];
	/** Stops it by a signal, and returns its exit code. Done twice, it returns the same. */
	const { stop } = example;
	return { service, page, stop };
}
