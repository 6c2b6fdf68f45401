import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Cluster, clusterSettings, layOutCluster } from "./cluster-settings.ts";
import { end, run, start } from "./programs.ts";

/** An S3 server, and a key that may make buckets. */
export type TestServer = {
	readonly endpoint: string;
	readonly region: string;
	readonly accessKeyId: string;
	readonly secretAccessKey: string;
};

/** How a gateway is reached, where other namespaces of the network or other machines are to reach it. */
export type TestGatewayOptions = {
	/** The address that it listens on (default: 127.0.0.1). */
	readonly address?: string;
	/** The port (default: a free one). */
	readonly port?: number;
	/** The name by which it is called (default: localhost). */
	readonly name?: string;
	/** The key that may make buckets (default: a random one). */
	readonly accessKeyId?: string;
	/** Its secret (default: a random one). */
	readonly secretAccessKey?: string;
};

/** An S3 server for tests. */
export type TestGateway = {
	readonly server: TestServer;
	/**
	 * Ends the gateway's process with `signal` (default: SIGKILL), as a crash does. Stored objects stay. Resolves when
	 * the process is gone.
	 */
	kill(signal?: NodeJS.Signals): Promise<void>;
	/** Starts the gateway again at the same address; ends it first if it runs. Resolves when it answers. */
	restart(): Promise<void>;
	/** Runs `radosgw-admin` with these arguments, and returns its output. */
	admin(...args: string[]): Promise<string>;
	/** Ends and removes everything. Calling it twice is harmless. */
	close(): Promise<void>;
};

/**
 * Starts a Ceph cluster of one node in memory, with its RADOS gateway: a real S3 server. It is ready after about five
 * seconds, lives in a temporary folder, and ends with this process.
 *
 * @throws {MissingProgramError} when one of its programs isn't installed; the message says what to install.
 *
 * @example
 * ```ts
 * import { startTestGateway } from "@reelmill/storage-s3/testing";
 *
 * const gateway = await startTestGateway();
 * const answer = await fetch(gateway.server.endpoint);
 * console.log(answer.status); // => 200
 * await gateway.close();
 * ```
 */
export async function startTestGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
	await run("radosgw", ["--version"]);
	for (let attempt = 1; ; attempt++) {
		try {
			return await startCluster(options);
		} catch (error) {
			// Another program may take a port between its choice and its use.
			if (attempt === mostAttempts || !String(error).includes("Address already in use")) throw error;
		}
	}
}

const mostAttempts = 5;

async function startCluster(options: TestGatewayOptions): Promise<TestGateway> {
	const {
		accessKeyId = randomBytes(10).toString("hex"),
		secretAccessKey = randomBytes(20).toString("hex"),
		...gatewayOptions
	} = options;
	const directory = await mkdtemp(join(tmpdir(), "reelmill-test-ceph-"));
	const daemons: ChildProcess[] = [];
	const close = async () => {
		await Promise.all(daemons.map((daemon) => end(daemon)));
		await rm(directory, { recursive: true, force: true });
	};
	try {
		const cluster = await layOutCluster(directory, gatewayOptions);
		await prepare(cluster);
		daemons.push(await startMonitor(cluster));
		daemons.push(await startStorage(cluster));
		let gateway = await startGateway(cluster);
		daemons.push(gateway);
		const admin = (...args: string[]) =>
			run("radosgw-admin", ["--no-mon-config", "-n", "client.rgw", "-c", cluster.settingsFile, ...args]);
		await admin(
			"user",
			"create",
			"--uid=reelmill",
			"--display-name=reelmill",
			`--access-key=${accessKeyId}`,
			`--secret-key=${secretAccessKey}`,
		);
		return {
			server: {
				endpoint: `http://${options.name ?? "127.0.0.1"}:${cluster.gateway.port}`,
				region: "us-east-1",
				accessKeyId,
				secretAccessKey,
			},
			kill: (signal) => end(gateway, signal),
			async restart() {
				await end(gateway);
				gateway = await startGateway(cluster);
				daemons.push(gateway);
			},
			admin,
			close,
		};
	} catch (error) {
		await close();
		throw error;
	}
}

const log = (cluster: Cluster, name: string): string => join(cluster.directory, "log", `${name}.out`);

async function prepare(cluster: Cluster): Promise<void> {
	const { directory, settingsFile, keyring, monitorPort, clusterId } = cluster;
	for (const name of ["mon", "osd", "run", "log"]) await mkdir(join(directory, name));
	await writeFile(settingsFile, clusterSettings(cluster));
	const all = ["--cap", "mon", "allow *", "--cap", "osd", "allow *", "--cap", "mgr", "allow *"];
	await run("ceph-authtool", ["--create-keyring", keyring, "--gen-key", "-n", "mon.", "--cap", "mon", "allow *"]);
	for (const name of ["client.admin", "client.rgw", "osd.0"])
		await run("ceph-authtool", [keyring, "--gen-key", "-n", name, ...all]);
	const map = join(directory, "monmap");
	await run("monmaptool", ["--create", "--fsid", clusterId, "--addv", "a", `[v2:127.0.0.1:${monitorPort}]`, map]);
	await run("ceph-mon", [
		"--mkfs",
		"-i",
		"a",
		"--monmap",
		map,
		"--mon-data",
		join(directory, "mon"),
		"--keyring",
		keyring,
		"-c",
		settingsFile,
	]);
}

async function startMonitor(cluster: Cluster): Promise<ChildProcess> {
	const monitor = await start(
		"ceph-mon",
		["-f", "-i", "a", "-c", cluster.settingsFile, "--keyring", cluster.keyring],
		log(cluster, "mon"),
	);
	await command(cluster, ["mon", "stat"]);
	return monitor;
}

async function startStorage(cluster: Cluster): Promise<ChildProcess> {
	await command(cluster, ["osd", "new", cluster.deviceId, "0"]);
	await command(cluster, ["osd", "crush", "add", "osd.0", "1.0", "host=localhost", "root=default"]);
	await run("ceph-osd", ["-i", "0", "--mkfs", "--osd-uuid", cluster.deviceId, "-c", cluster.settingsFile]);
	const daemon = await start("ceph-osd", ["-f", "-i", "0", "-c", cluster.settingsFile], log(cluster, "osd"));
	await until(cluster, daemon, "osd", async () => (await command(cluster, ["osd", "stat"])).includes("1 up"));
	return daemon;
}

async function startGateway(cluster: Cluster): Promise<ChildProcess> {
	const gateway = await start(
		"radosgw",
		["-f", "--no-mon-config", "-n", "client.rgw", "-c", cluster.settingsFile],
		log(cluster, "rgw"),
	);
	await until(cluster, gateway, "rgw", () =>
		fetch(`http://127.0.0.1:${cluster.gateway.port}/`, { signal: AbortSignal.timeout(5000) }).then(
			() => true,
			() => false,
		),
	);
	return gateway;
}

const command = (cluster: Cluster, args: readonly string[]): Promise<string> =>
	run("ceph", ["-c", cluster.settingsFile, "--connect-timeout", "20", ...args]);

/** Ceph's daemons don't say when they are ready. */
async function until(
	cluster: Cluster,
	daemon: ChildProcess,
	name: string,
	ready: () => Promise<boolean>,
): Promise<void> {
	const deadline = Date.now() + 60_000;
	while (!(await ready())) {
		if (daemon.exitCode !== null || daemon.signalCode !== null || Date.now() > deadline) {
			await end(daemon);
			throw new Error(`Ceph's ${name} doesn't come up: ${(await readFile(log(cluster, name), "utf8")).slice(-2000)}`);
		}
		await pause(50);
	}
}
