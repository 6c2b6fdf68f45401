import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { ProxyPlace, RunningProxy } from "../../apps/server/test/support/behind-proxy.ts";
import { freePort } from "../../apps/server/test/support/free-port.ts";
import { greets } from "../../apps/server/test/support/greets.ts";
import { guideBlocks } from "../../apps/server/test/support/guide-block.ts";
import { makeOwnCertificate } from "../../apps/server/test/support/own-certificate.ts";

export type TraefikFiles = { readonly fixed: string; readonly dynamic: string };

/** The two files of the guide, the second with certificates of one's own in place of those by ACME. */
export async function guideFiles(): Promise<TraefikFiles> {
	const [fixed = "", dynamic = "", certificates = ""] = await guideBlocks("yaml");
	const byFiles = dynamic.replaceAll("tls:\n        certResolver: letsencrypt\n", "tls: {}\n");
	return { fixed, dynamic: `${byFiles}\n${certificates}` };
}

/**
 * Runs the Traefik that `REELMILL_TRAEFIK` names on a port of 127.0.0.1, with files as the guide writes them: their
 * names, ports and the server behind are put right.
 */
export async function startTraefik(
	{ directory, port, behind }: ProxyPlace,
	{ fixed, dynamic }: TraefikFiles,
): Promise<RunningProxy> {
	const { certificate, key } = await makeOwnCertificate(directory);
	const [main, routes] = [join(directory, "traefik.yaml"), join(directory, "reelmill.yaml")];
	const redirecting = await freePort();
	const put = async (file: string, text: string, changes: readonly (readonly [from: string, to: string])[]) => {
		for (const [from] of changes) if (!text.includes(from)) throw new Error(`the guide's file has no ${from}`);
		await writeFile(
			file,
			changes.reduce((before, [from, to]) => before.replaceAll(from, to), text),
		);
	};
	await put(main, fixed, [
		['":80"', `"127.0.0.1:${redirecting}"`],
		['":443"', `"127.0.0.1:${port}"`],
		["/etc/traefik/reelmill.yaml", routes],
		["/var/lib/traefik/acme.json", join(directory, "acme.json")],
	]);
	await put(routes, dynamic, [
		["Host(`video.example.com`)", "Host(`127.0.0.1`)"],
		["http://127.0.0.1:8787", `http://${behind}`],
		["/etc/ssl/video.example.com.crt", certificate],
		["/etc/ssl/video.example.com.key", key],
	]);
	const child = spawn(process.env.REELMILL_TRAEFIK ?? "traefik", [`--configFile=${main}`], {
		cwd: directory,
		env: { PATH: process.env.PATH, HOME: directory },
		stdio: ["ignore", "pipe", "pipe"],
	});
	let said = "";
	for (const stream of [child.stdout, child.stderr])
		stream.on("data", (text: Buffer) => {
			said += text;
		});
	const ended = once(child, "exit");
	const signer = await readFile(certificate, "utf8");
	while (!(await greets(port, signer))) {
		if (child.exitCode !== null) throw new Error(`Traefik ended: ${said}`);
		await pause(50);
	}
	// It goes on without what it can't read of its files.
	if (said !== "") throw new Error(`Traefik complained: ${said}`);
	return {
		url: `https://127.0.0.1:${port}`,
		redirects: `http://127.0.0.1:${redirecting}`,
		certificate: signer,
		async stop() {
			child.kill("SIGTERM");
			await ended;
		},
	};
}
