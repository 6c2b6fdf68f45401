import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, startProgram } from "../../../../scripts/programs/program.ts";
import { digestOf } from "../../src/knowledge/base64url.ts";
import { asking } from "./open-edge.ts";

const deploy = new URL("../../../../deploy/edge/nginx/", import.meta.url);

/**
 * Runs nginx as deploy/edge/nginx/nginx.conf configures it, without TLS, its folders and addresses put right: before
 * the service at `url`, for the first of its domains.
 */
export async function startNginxEdge(
	{ url, domains }: { readonly url: string; readonly domains: readonly string[] },
	options: { readonly port?: number } = {},
): Promise<{ url: string; stop: () => Promise<void> }> {
	const directory = await mkdtemp(join(tmpdir(), "reelmill-edge-"));
	const port = options.port ?? (await freePort());
	const [configuration, script] = await Promise.all(
		["nginx.conf", "reelmill-edge.js"].map((name) => readFile(new URL(name, deploy), "utf8")),
	);
	const domain = domains[0] as string;
	const changes = {
		"/etc/nginx": directory,
		"/var/cache/nginx": directory,
		"/run/reelmill-edge": directory,
		"server 127.0.0.1:8787;": `server ${new URL(url).host};`,
		"listen 443 ssl;": `listen 127.0.0.1:${port};`,
		"\tssl_certificate /etc/ssl/video.example.com.crt;\n": "",
		"\tssl_certificate_key /etc/ssl/video.example.com.key;\n": "",
		"6f1c2f0e-2f0b-4e0a-9d51-0a5a4f1f6a11": domain,
		"3XlXW0u5sW8qVYcE": await digestOf(domain),
	};
	for (const from of Object.keys(changes))
		if (!configuration?.includes(from)) throw new Error(`the configuration has no ${from}`);
	const own = Object.entries(changes).reduce((text, [from, to]) => text.replaceAll(from, to), configuration as string);
	await writeFile(join(directory, "reelmill-edge.js"), script as string);
	await mkdir(join(directory, "reelmill"));
	const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
		.map((kind) => `${kind}_temp_path ${join(directory, kind)};`)
		.join("\n");
	const user = process.getuid?.() === 0 ? "user root;" : "";
	const main = join(directory, "nginx.conf");
	await writeFile(
		main,
		`load_module /usr/lib/nginx/modules/ngx_http_js_module.so;\n${user}\ndaemon off;\nworker_processes 2;\npid ${join(directory, "pid")};\nevents {}\nhttp {\naccess_log off;\n${temporary}\n${own}\n}\n`,
	);
	const nginx = startProgram("nginx", ["-c", main, "-p", directory, "-e", "stderr"], {
		env: { PATH: `${process.env.PATH}:/usr/sbin` },
	});
	const edge = `http://127.0.0.1:${port}`;
	const greets = () =>
		asking(edge)("/").then(
			() => true,
			() => false,
		);
	await nginx.until(greets);
	return {
		url: edge,
		async stop() {
			await nginx.stop();
			await rm(directory, { recursive: true, force: true });
		},
	};
}
