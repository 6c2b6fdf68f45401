import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startProgram } from "../../../../scripts/programs/program.ts";
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
	const caddy = startProgram("caddy", ["run", "--config", file, "--adapter", "caddyfile"], {
		env: { PATH: process.env.PATH, HOME: directory, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory },
	});
	const root = join(directory, "caddy/pki/authorities/local/root.crt");
	await caddy.until(async () => existsSync(root) && (await greets(port, await readFile(root, "utf8"))));
	return { url: `https://127.0.0.1:${port}`, certificate: await readFile(root, "utf8"), stop: caddy.stop };
}
