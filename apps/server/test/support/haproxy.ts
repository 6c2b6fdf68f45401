import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { freePort, startProgram } from "../../../../scripts/programs/program.ts";
import type { ProxyPlace, RunningProxy } from "./behind-proxy.ts";
import { greets } from "./greets.ts";
import { makeOwnCertificate } from "./own-certificate.ts";

/**
 * Runs HAProxy on a port of 127.0.0.1, with a configuration as the guide writes it: its ports, its certificate and the
 * server behind are put right.
 */
export async function startHaproxy(
	{ directory, port, behind }: ProxyPlace,
	configuration: string,
): Promise<RunningProxy> {
	const { certificate, key } = await makeOwnCertificate(directory);
	const both = join(directory, "both.pem");
	const signer = await readFile(certificate, "utf8");
	await writeFile(both, `${signer}${await readFile(key, "utf8")}`);
	const own = configuration
		.replace("bind :80\n", `bind 127.0.0.1:${await freePort()}\n`)
		.replace("bind :443 ssl crt /etc/haproxy/video.example.com.pem", `bind 127.0.0.1:${port} ssl crt ${both}`)
		.replace("127.0.0.1:8787", behind);
	const file = join(directory, "haproxy.cfg");
	await writeFile(file, own);
	const haproxy = startProgram("haproxy", ["-db", "-f", file], {
		env: { PATH: `${process.env.PATH}:/usr/sbin` },
	});
	await haproxy.until(() => greets(port, signer));
	return { url: `https://127.0.0.1:${port}`, certificate: signer, stop: haproxy.stop };
}
