import { execFile } from "node:child_process";
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { findPostgresqlFolder } from "../../../../scripts/setup/postgresql.mjs";
import {
	type ComposeFile,
	type ComposeService,
	composePath,
	readCompose,
	readEnvironmentFile,
} from "./compose-file.ts";
import { type Host, makeNetwork } from "./network.ts";
import { type Command, healthy, type Running, startOn } from "./processes.ts";
import { programs, settingsOf } from "./programs.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const root = dirname(fileURLToPath(composePath));
const domain = "video.localhost";
/** PostgreSQL doesn't run as root; this is Debian's nobody. */
const nobody = 65_534;
export type Fleet = {
	readonly compose: ComposeFile;
	/** The values that deploy/compose/secrets.sh made. */
	readonly secrets: Readonly<Record<string, string>>;
	readonly running: Readonly<Record<string, readonly Running[]>>;
	/** A host on the network `edge` with nothing on it yet. */
	readonly visitor: Host;
	/** Where a service's data directory lies on this machine. */
	dataOf(service: string): string;
	/** The certificate by which the proxy's own is signed. */
	readonly certificate: string;
	close(): Promise<void>;
};

/**
 * Runs the services of compose.yaml as processes, each on a host of its own: their commands, environments, networks and
 * health checks, in the order of `depends_on`. `scale` says how many there are of a service (default: one). Ceph's
 * gateway stands in for the image of the storage.
 */
export async function startFleet(scale: Readonly<Record<string, number>>): Promise<Fleet> {
	const directory = await mkdtemp(join(tmpdir(), "reelmill-fleet-"));
	await chmod(directory, 0o755);
	const cleanUp: (() => Promise<unknown>)[] = [() => rm(directory, { recursive: true, force: true })];
	const close = async () => {
		for (const step of cleanUp.splice(0).reverse()) await step();
	};
	try {
		const secrets = await makeSecrets(directory);
		const compose = readCompose(secrets);
		const subnets = Object.fromEntries(
			Object.entries(compose.networks).map(([name, { ipam }]) => [name, ipam.config[0]?.subnet ?? ""]),
		);
		const plans = Object.entries(compose.services).flatMap(([service, { networks }]) =>
			Array.from({ length: scale[service] ?? 1 }, (_, index) => ({
				name: `${service}-${index + 1}`,
				aliases: service === "proxy" ? [service, domain] : [service],
				networks,
			})),
		);
		const network = await makeNetwork(subnets, [
			...plans,
			{ name: "visitor", aliases: ["visitor"], networks: ["edge"] },
		]);
		cleanUp.push(network.close);
		const host = (name: string): Host => {
			const found = network.hosts.find((each) => each.name === name);
			if (found === undefined) throw new Error(`there is no host ${name}`);
			return found;
		};
		const running: Record<string, Running[]> = {};
		for (const [service, description] of inOrder(compose)) {
			const hosts = plans.filter(({ name }) => name.startsWith(`${service}-`)).map(({ name }) => host(name));
			const command = await commandOf({ directory, compose, service, description });
			running[service] = hosts.map((each) => startOn(each, command));
			const started = running[service];
			cleanUp.push(() => Promise.all(started.map((each) => each.stop("SIGKILL"))));
			await Promise.all(started.map((each) => untilHealthy(each, service, description)));
		}
		const certificate = join(directory, "proxy/data/caddy/pki/authorities/local/root.crt");
		const dataOf = (service: string) => join(directory, service, "var/lib/reelmill");
		return { compose, secrets, running, visitor: host("visitor"), dataOf, certificate, close };
	} catch (error) {
		await close();
		throw error;
	}
}

/** Runs the script that the guide tells to run, in a folder of its own. */
async function makeSecrets(directory: string): Promise<Record<string, string>> {
	const copy = join(directory, "clone/deploy/compose/secrets.sh");
	await mkdir(dirname(copy), { recursive: true });
	await cp(join(root, "deploy/compose/secrets.sh"), copy);
	await promisify(execFile)("sh", [copy, domain]);
	return readEnvironmentFile(await readFile(join(directory, "clone/.env"), "utf8"));
}

/** Returns the services, each after those that it waits for. */
function inOrder({ services }: ComposeFile): [string, ComposeService][] {
	const ordered = new Map<string, ComposeService>();
	const add = (name: string) => {
		const service = services[name];
		if (service === undefined || ordered.has(name)) return;
		for (const needed of Object.keys(service.depends_on ?? {})) add(needed);
		ordered.set(name, service);
	};
	for (const name of Object.keys(services)) add(name);
	return [...ordered];
}

type Part = {
	readonly directory: string;
	readonly compose: ComposeFile;
	readonly service: string;
	readonly description: ComposeService;
};

/** Returns what runs a service here as its container would. */
async function commandOf(part: Part): Promise<Command> {
	const { directory, compose, service, description } = part;
	const { command, environment } = description;
	const [program = "", ...args] = command;
	const main = programs[program];
	const own = join(directory, service);
	await mkdir(own, { recursive: true });
	if (main !== undefined) {
		for (const { source, target } of description.configs ?? []) {
			await mkdir(dirname(join(own, target)), { recursive: true });
			await writeFile(join(own, target), compose.configs[source]?.content ?? "");
		}
		const known = await settingsOf(program);
		const settings = Object.entries(environment)
			.filter(([name]) => known.has(name))
			.map(([name, value]) => [name, /^\/(?:var\/lib|etc)\/reelmill/.test(value) ? join(own, value) : value]);
		return { program: process.execPath, args: [main], environment: Object.fromEntries(settings) };
	}
	if (program === "postgres") {
		const folder = findPostgresqlFolder();
		if (folder === undefined) throw new Error("PostgreSQL is not installed (Debian: apt-get install postgresql).");
		await makeDatabase(folder, own, environment);
		const here = [
			"-D",
			join(own, "data"),
			"-c",
			"listen_addresses=*",
			"-c",
			"unix_socket_directories=",
			"-c",
			"fsync=off",
		];
		return { program: join(folder, "postgres"), args: [...args, ...here], user: nobody };
	}
	if (program === "caddy") {
		const mounted = (description.volumes ?? []).map((volume) => volume.split(":"));
		const fileOf = (text: string) => {
			const [source = ""] = mounted.find(([, target]) => target === text) ?? [];
			return source.startsWith("./") ? join(root, source) : text;
		};
		const homes = { XDG_DATA_HOME: join(own, "data"), XDG_CONFIG_HOME: join(own, "config"), HOME: own };
		return { program, args: args.map(fileOf), environment: { ...environment, ...homes } };
	}
	// The storage's command is one line of a shell.
	const [port = "", bucket = ""] = [/--port :(\d+)/, /mkdir -p \/data\/(\w+)/].map((form) => form.exec(program)?.[1]);
	const { ROOT_ACCESS_KEY = "", ROOT_SECRET_KEY = "" } = environment;
	const gateway = [here("gateway-process.ts"), port, service, bucket, ROOT_ACCESS_KEY, ROOT_SECRET_KEY];
	return { program: process.execPath, args: gateway };
}

/** Makes the database that PostgreSQL's image makes of these variables at its first start. */
async function makeDatabase(folder: string, own: string, environment: ComposeService["environment"]): Promise<void> {
	const { POSTGRES_USER = "", POSTGRES_PASSWORD = "", POSTGRES_DB = "" } = environment;
	await chown(own, nobody, nobody);
	await writeFile(join(own, "password"), POSTGRES_PASSWORD, { mode: 0o644 });
	const data = join(own, "data");
	const how = ["-E", "UTF8", "--no-locale", "--no-sync", "-A", "scram-sha-256", "--pwfile", join(own, "password")];
	const asNobody = { uid: nobody, gid: nobody, cwd: "/" };
	await promisify(execFile)(join(folder, "initdb"), ["-D", data, "-U", POSTGRES_USER, ...how], asNobody);
	await writeFile(join(data, "pg_hba.conf"), "host all all all scram-sha-256\n");
	const single = [join(folder, "postgres"), "--single", "-D", data, "postgres"].map((word) => `'${word}'`).join(" ");
	await promisify(execFile)("sh", ["-c", `echo 'create database ${POSTGRES_DB}' | ${single}`], asNobody);
}

/** What a program says when it is ready, where the health check needs what only the image has. */
const words: Readonly<Record<string, string>> = {
	storage: "the gateway is ready",
	transcoder: "transcoder started",
	database: "ready to accept connections",
};
/** The image's own check of a server. */
const isReady = [
	process.execPath,
	"-e",
	"fetch('http://127.0.0.1:9464/ready').then(({ ok }) => process.exit(ok ? 0 : 1))",
];
const untilHealthy = (running: Running, service: string, { healthcheck }: ComposeService): Promise<void> => {
	const word = words[service];
	if (word !== undefined) return running.says(word);
	const [, ...check] = healthcheck.test;
	return healthy(running, check[0] === "reelmill-health" ? isReady : check);
};
