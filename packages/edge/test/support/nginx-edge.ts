import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort, startProgram } from "../../../../scripts/programs/program.ts";
import { digestOf } from "../../src/knowledge/base64url.ts";

const deploy = new URL("../../../../deploy/edge/nginx/", import.meta.url);

const certificate = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=video.example.com"
	.concat(" -keyout video.example.com.key -out video.example.com.crt")
	.split(" ");

export type NginxEdge = {
	readonly url: string;
	/** The process whose children serve. */
	readonly pid: number;
	/** What it warned of. */
	said(): string;
	stop(): Promise<void>;
};

export type NginxOptions = {
	/** Texts of the configuration that are replaced. */
	readonly changes?: Readonly<Record<string, string>>;
	/** More of http {}. */
	readonly beside?: string;
	readonly workers?: number;
	/** Default: a free one. */
	readonly port?: number;
	/** With TLS, by a certificate that it made itself. */
	readonly isSecure?: boolean;
	readonly environment?: Readonly<Record<string, string>>;
};

/**
 * Runs nginx as deploy/edge/nginx/nginx.conf configures it, its folders and addresses put right.
 */
export async function startNginxEdge(
	{ url, domains }: { readonly url: string; readonly domains: readonly string[] },
	{ changes = {}, beside = "", workers = 2, isSecure = false, environment = {}, ...options }: NginxOptions = {},
): Promise<NginxEdge> {
	const directory = await mkdtemp(join(tmpdir(), "reelmill-edge-"));
	const memory = await mkdtemp("/dev/shm/reelmill-edge-");
	const port = options.port ?? (await freePort());
	const [configuration, script] = await Promise.all(
		["nginx.conf", "reelmill-edge.js"].map((name) => readFile(new URL(name, deploy), "utf8")),
	);
	const domain = domains[0] as string;
	const all = {
		...changes,
		"/etc/nginx": directory,
		"/var/cache/nginx": directory,
		"/run/reelmill-edge": memory,
		"server 127.0.0.1:8787;": `server ${new URL(url).host};`,
		...(isSecure
			? { "listen 443 ssl;": `listen 127.0.0.1:${port} ssl;`, "/etc/ssl": directory }
			: {
					"listen 443 ssl;": `listen 127.0.0.1:${port};`,
					"\tssl_certificate /etc/ssl/video.example.com.crt;\n": "",
					"\tssl_certificate_key /etc/ssl/video.example.com.key;\n": "",
				}),
		"6f1c2f0e-2f0b-4e0a-9d51-0a5a4f1f6a11": domain,
		"3XlXW0u5sW8qVYcE": await digestOf(domain),
	};
	for (const from of Object.keys(all))
		if (!configuration?.includes(from)) throw new Error(`the configuration has no ${from}`);
	const own = Object.entries(all).reduce(
		(text, [from, to]) => text.replaceAll(from, to),
		`${configuration}\n${beside}`,
	);
	await writeFile(join(directory, "reelmill-edge.js"), script as string);
	await mkdir(join(directory, "reelmill"));
	if (isSecure) await promisify(execFile)("openssl", certificate, { cwd: directory });
	const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
		.map((kind) => `${kind}_temp_path ${join(directory, kind)};`)
		.join("\n");
	const user = process.getuid?.() === 0 ? "user root;" : "";
	const kept = Object.keys(environment)
		.map((name) => `env ${name};`)
		.join("\n");
	const main = join(directory, "nginx.conf");
	await writeFile(
		main,
		`load_module /usr/lib/nginx/modules/ngx_http_js_module.so;\n${user}\ndaemon off;\nworker_processes ${workers};\npid ${join(directory, "pid")};\n${kept}\nevents {}\nhttp {\naccess_log off;\nsendfile on;\ntcp_nopush on;\n${temporary}\n${own}\n}\n`,
	);
	const nginx = startProgram("nginx", ["-c", main, "-p", directory, "-e", "stderr"], {
		env: { PATH: `${process.env.PATH}:/usr/sbin`, ...environment },
	});
	const greets = async () => {
		const socket = connect({ port, host: "127.0.0.1" });
		try {
			await once(socket, "connect");
			return true;
		} catch {
			return false;
		} finally {
			socket.destroy();
		}
	};
	await nginx.until(greets);
	return {
		url: `${isSecure ? "https" : "http"}://127.0.0.1:${port}`,
		pid: nginx.child.pid as number,
		said: nginx.said,
		async stop() {
			await nginx.stop();
			for (const one of [directory, memory]) await rm(one, { recursive: true, force: true });
		},
	};
}

/** What an edge needs whose service is another edge. */
export const behindAnother = { "js_var $edge_settling 4000;": "js_var $edge_settling 6000;" };

/** Runs an edge that other edges may ask. */
export async function startNginxShield(
	service: { readonly url: string; readonly domains: readonly string[] },
	options: NginxOptions = {},
): Promise<NginxEdge> {
	const shield = (await readFile(new URL("shield.conf", deploy), "utf8")).replace("10.0.0.0/8", "127.0.0.1");
	const changes = { "\tserver_tokens off;\n": `\tserver_tokens off;\n${shield}`, ...options.changes };
	return startNginxEdge(service, { ...options, changes });
}
