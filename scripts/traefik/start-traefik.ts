import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ProxyPlace, RunningProxy } from "../../apps/server/test/support/behind-proxy.ts";
import { greets } from "../../apps/server/test/support/greets.ts";
import { guideBlocks } from "../../apps/server/test/support/guide-block.ts";
import { makeOwnCertificate } from "../../apps/server/test/support/own-certificate.ts";
import { freePort, startProgram } from "../programs/program.ts";

/**
 * Runs the Traefik that `REELMILL_TRAEFIK` names on a port of 127.0.0.1, with the guide's files for certificates of
 * one's own: their names, ports and the server behind are put right.
 */
export async function startTraefik({ directory, port, behind }: ProxyPlace): Promise<RunningProxy> {
	const { certificate, key } = await makeOwnCertificate(directory);
	const [fixed = "", dynamic = "", certificates = ""] = await guideBlocks("yaml");
	const [main, routes] = [join(directory, "traefik.yaml"), join(directory, "reelmill.yaml")];
	await writeFile(
		main,
		changed(fixed, {
			'":80"': `"127.0.0.1:${await freePort()}"`,
			'":443"': `"127.0.0.1:${port}"`,
			"/etc/traefik/reelmill.yaml": routes,
			"/var/lib/traefik/acme.json": join(directory, "acme.json"),
		}),
	);
	await writeFile(
		routes,
		changed(`${dynamic}\n${certificates}`, {
			"tls:\n        certResolver: letsencrypt\n": "tls: {}\n",
			"Host(`video.example.com`)": "Host(`127.0.0.1`)",
			"http://127.0.0.1:8787": `http://${behind}`,
			"/etc/ssl/video.example.com.crt": certificate,
			"/etc/ssl/video.example.com.key": key,
		}),
	);
	const traefik = startProgram(process.env.REELMILL_TRAEFIK ?? "traefik", [`--configFile=${main}`], {
		cwd: directory,
		env: { PATH: process.env.PATH, HOME: directory },
	});
	const signer = await readFile(certificate, "utf8");
	await traefik.until(() => greets(port, signer));
	// It goes on without what it can't read of its files.
	if (traefik.said() !== "") throw new Error(`Traefik complained: ${traefik.said()}`);
	return { url: `https://127.0.0.1:${port}`, certificate: signer, stop: traefik.stop };
}

function changed(text: string, changes: Readonly<Record<string, string>>): string {
	for (const from of Object.keys(changes)) if (!text.includes(from)) throw new Error(`the guide's file has no ${from}`);
	return Object.entries(changes).reduce((before, [from, to]) => before.replaceAll(from, to), text);
}
