import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { freePort, startProgram } from "../../../../scripts/programs/program.ts";
import type { ProxyPlace, RunningProxy } from "./behind-proxy.ts";
import { greets } from "./greets.ts";
import { makeOwnCertificate } from "./own-certificate.ts";

/**
 * Runs nginx on a port of 127.0.0.1, with `configuration` for `http {}` as the guide writes it: its names of files,
 * ports and the server behind are put right.
 */
export async function startNginx(
	{ directory, port, behind }: ProxyPlace,
	configuration: string,
): Promise<RunningProxy> {
	const { certificate, key } = await makeOwnCertificate(directory);
	const own = configuration
		.replace(/^\tssl_certificate .*$/m, `\tssl_certificate ${certificate};`)
		.replace(/^\tssl_certificate_key .*$/m, `\tssl_certificate_key ${key};`)
		.replace("server 127.0.0.1:8787;", `server ${behind};`)
		.replace("listen 443 ssl;", `listen 127.0.0.1:${port} ssl;`)
		.replace("listen 80;", `listen 127.0.0.1:${await freePort()};`);
	const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
		.map((kind) => `${kind}_temp_path ${join(directory, kind)};`)
		.join("\n");
	const main = join(directory, "nginx.conf");
	const user = process.getuid?.() === 0 ? "user root;" : "";
	await writeFile(
		main,
		`${user}\ndaemon off;\nworker_processes 1;\npid ${join(directory, "pid")};\nevents {}\nhttp {\naccess_log off;\n${temporary}\n${own}\n}\n`,
	);
	const nginx = startProgram("nginx", ["-c", main, "-p", directory, "-e", "stderr"], {
		env: { PATH: `${process.env.PATH}:/usr/sbin` },
	});
	const signer = await readFile(certificate, "utf8");
	await nginx.until(() => greets(port, signer));
	return { url: `https://127.0.0.1:${port}`, certificate: signer, stop: nginx.stop };
}
