import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ComposeFile, readCompose, readEnvironmentFile } from "./compose-file.ts";
import { settingsOf } from "./programs.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const run = promisify(execFile);
let directory: string;
let script: string;
let secrets: Record<string, string>;
let compose: ComposeFile;
beforeAll(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-compose-"));
	await mkdir(join(directory, "deploy/compose"), { recursive: true });
	script = join(directory, "deploy/compose/secrets.sh");
	await cp(join(root, "deploy/compose/secrets.sh"), script);
	await run("sh", ["-euc", "sh deploy/compose/secrets.sh video.example.com"], { cwd: directory });
	secrets = readEnvironmentFile(await readFile(join(directory, ".env"), "utf8"));
	compose = readCompose(secrets);
});
afterAll(() => rm(directory, { recursive: true, force: true }));

describe("the script of the secrets", () => {
	it("makes all that compose.yaml asks for, each once, for the owner alone", async () => {
		const text = await readFile(join(root, "compose.yaml"), "utf8");
		const asked = new Set(Array.from(text.matchAll(/\$\{(\w+):\?/g), ([, name]) => name));
		expect(new Set(Object.keys(secrets))).toEqual(asked);
		const { REELMILL_DOMAIN, ...made } = secrets;
		expect(REELMILL_DOMAIN).toBe("video.example.com");
		for (const secret of Object.values(made)) expect(secret).toMatch(/^[0-9a-f]{64}$/);
		expect(new Set(Object.values(made)).size).toBe(Object.keys(made).length);
		expect((await stat(join(directory, ".env"))).mode & 0o777).toBe(0o600);
	});

	it("is called by the guide as here", async () => {
		const guide = await readFile(join(root, "docs/guides/many-machines.md"), "utf8");
		expect(guide).toContain("```sh\nsh deploy/compose/secrets.sh localhost\n```");
	});

	it("leaves secrets that are there as they are", async () => {
		await expect(run("sh", [script])).rejects.toMatchObject({ code: 1 });
		expect(readEnvironmentFile(await readFile(join(directory, ".env"), "utf8"))).toEqual(secrets);
	});
});

describe("compose.yaml", () => {
	it("sets what the programs have", async () => {
		for (const service of ["server", "transcoder"]) {
			const { command: [program = ""] = [], environment = {} } = compose.services[service] ?? {};
			expect(Object.keys(environment).filter((name) => name.startsWith("REELMILL_"))).toEqual(Object.keys(environment));
			expect([...(await settingsOf(program))]).toEqual(expect.arrayContaining(Object.keys(environment)));
		}
	});

	it("restarts and checks every service, and names only what it declares", () => {
		for (const [name, service] of Object.entries(compose.services)) {
			expect([name, service.restart]).toEqual([name, "unless-stopped"]);
			expect([name, service.healthcheck.test[0]]).toEqual([name, "CMD"]);
			for (const network of service.networks) expect(compose.networks).toHaveProperty(network);
			for (const { source } of service.configs ?? []) expect(compose.configs).toHaveProperty(source);
			for (const needed of Object.keys(service.depends_on ?? {})) expect(compose.services).toHaveProperty(needed);
			for (const [source = ""] of (service.volumes ?? []).map((volume) => volume.split(":")))
				if (!/^[./]/.test(source)) expect(compose.volumes).toHaveProperty(source);
		}
	});

	it("fits together: ports, names, networks, accounts, the time to stop", async () => {
		const { server, transcoder, storage, database, proxy } = compose.services;
		const { environment = {} } = server ?? {};
		const [edge, inside] = [compose.networks.edge, compose.networks.inside].map(
			(network) => network?.ipam.config[0]?.subnet,
		);
		expect([environment.REELMILL_TRUSTED_PROXIES, environment.REELMILL_WORKER_CIDRS]).toEqual([edge, inside]);
		expect([compose.networks.inside?.internal, transcoder?.networks, database?.networks]).toEqual([
			true,
			["inside"],
			["inside"],
		]);
		const caddyfile = await readFile(join(root, "deploy/compose/Caddyfile"), "utf8");
		expect(caddyfile).toContain(`dynamic a server ${environment.REELMILL_PORT} {`);
		for (const [name] of Object.entries(proxy?.environment ?? {})) expect(caddyfile).toContain(`{$${name}}`);
		expect(transcoder?.environment.REELMILL_API_URL).toBe(`http://server:${environment.REELMILL_PORT}`);
		for (const name of ["REELMILL_SERVICE_NAME", "REELMILL_SERVICE_SECRET"])
			expect(transcoder?.environment[name]).toBe(environment[name]);
		const url = new URL(environment.REELMILL_DATABASE_URL ?? "");
		expect([url.hostname, url.username, url.password, url.pathname]).toEqual([
			"database",
			database?.environment.POSTGRES_USER,
			database?.environment.POSTGRES_PASSWORD,
			`/${database?.environment.POSTGRES_DB}`,
		]);
		const [config] = server?.configs ?? [];
		expect(environment.REELMILL_STORAGE_LOCATIONS).toBe(config?.target);
		const [location] = JSON.parse(compose.configs[config?.source ?? ""]?.content ?? "[]");
		expect(environment.REELMILL_STORAGE_DEFAULT).toBe(location.id);
		expect([location.access_key_id, location.secret_access_key]).toEqual([
			storage?.environment.ROOT_ACCESS_KEY,
			storage?.environment.ROOT_SECRET_KEY,
		]);
		const [line = ""] = storage?.command ?? [];
		expect(line).toContain(`mkdir -p /data/${location.bucket} `);
		expect(line).toContain(`--port :${new URL(location.endpoint).port} `);
		expect(Number.parseInt(server?.stop_grace_period ?? "", 10)).toBeGreaterThan(
			Number(environment.REELMILL_DRAIN_SECONDS) + 10,
		);
	});
});
