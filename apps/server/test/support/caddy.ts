import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { ProxyPlace, RunningProxy } from "./behind-proxy.ts";
import { greets } from "./greets.ts";

/**
 * Runs Caddy with a configuration as the guide writes it: its names of the site and of the server behind are put right,
 * and it signs its certificate itself.
 */
export async function startCaddy(
	{ directory, port, behind }: ProxyPlace,
	configuration: string,
): Promise<RunningProxy> {
	const own = configuration
		.replace(/^video\.example\.com \{$/m, `https://127.0.0.1:${port} {\n\tbind 127.0.0.1`)
		.replace("127.0.0.1:8787", behind);
	const file = join(directory, "Caddyfile");
	await writeFile(file, `{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}\n${own}`);
	const child = spawn("caddy", ["run", "--config", file, "--adapter", "caddyfile"], {
		env: { PATH: process.env.PATH, HOME: directory, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory },
		stdio: ["ignore", "ignore", "pipe"],
	});
	let complaints = "";
	child.stderr.on("data", (text: Buffer) => {
		complaints += text;
	});
	const ended = once(child, "exit");
	const root = join(directory, "caddy/pki/authorities/local/root.crt");
	const certificate = () => readFile(root, "utf8").catch(() => undefined);
	for (;;) {
		const signer = await certificate();
		if (signer !== undefined && (await greets(port, signer))) {
			return {
				url: `https://127.0.0.1:${port}`,
				certificate: signer,
				async stop() {
					child.kill("SIGTERM");
					await ended;
				},
			};
		}
		if (child.exitCode !== null) throw new Error(`Caddy ended: ${complaints}`);
		await pause(50);
	}
}
