import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A machine of the test's own network: a namespace of the kernel with its own addresses, ports and names. */
export type Host = {
	readonly name: string;
	/** The names by which the others call it; several hosts may share one. */
	readonly aliases: readonly string[];
	/** Its address on each of its networks. */
	readonly addresses: Readonly<Record<string, string>>;
	/** Returns the program and its arguments, to be run on this host; it ends with the process that started it. */
	command(program: string, args: readonly string[], user?: number): readonly [string, string[]];
};
export type HostPlan = {
	readonly name: string;
	readonly aliases: readonly string[];
	readonly networks: readonly string[];
};
export type Network = { readonly hosts: readonly Host[]; close(): Promise<void> };

/**
 * Makes hosts on networks, each network a bridge that nothing outside of the test can reach. Hosts that share a network
 * know each other's names. Linux lets root alone do this.
 *
 * @throws {Error} which says what the machine lacks.
 */
export async function makeNetwork(
	subnets: Readonly<Record<string, string>>,
	plans: readonly HostPlan[],
): Promise<Network> {
	await removeLeftovers();
	const hub = `reelmill-${process.pid}-${randomBytes(2).toString("hex")}`;
	const namespaces = [hub, ...plans.map(({ name }) => `${hub}-${name}`)];
	const close = () => remove(namespaces);
	const hosts = plans.map(({ name, aliases, networks }, index): Host => {
		const addressIn = (network: string) => (subnets[network] ?? "").replace(/\.0\/24$/, `.${10 + index}`);
		return {
			name,
			aliases,
			addresses: Object.fromEntries(networks.map((network) => [network, addressIn(network)])),
			command: (program, args, user) => [
				"ip",
				[
					...["netns", "exec", `${hub}-${name}`, "unshare", "--uts", "sh", "-c", 'hostname "$0" && exec "$@"', name],
					...["setpriv", "--pdeathsig", "KILL"],
					...(user === undefined ? [] : ["--reuid", String(user), "--regid", String(user), "--clear-groups"]),
					...["--", program, ...args],
				],
			],
		};
	});
	try {
		await batch(
			undefined,
			namespaces.map((namespace) => `netns add ${namespace}`),
		).catch((cause: Error) => {
			throw new Error(
				`This test lays out a network of namespaces (ip netns), for which it needs Linux, iproute2 and root's rights (CAP_SYS_ADMIN and CAP_NET_ADMIN): ${cause.message}`,
				{ cause },
			);
		});
		const links = hosts.flatMap(({ name, addresses }) => Object.keys(addresses).map((network) => ({ name, network })));
		await batch(hub, [
			...Object.keys(subnets).flatMap((network) => [`link add ${network} type bridge`, `link set ${network} up`]),
			...links.flatMap(({ name, network }, index) => [
				`link add port${index} type veth peer name ${network} netns ${hub}-${name}`,
				`link set port${index} master ${network} up`,
			]),
		]);
		await Promise.all(
			hosts.map(async (host) => {
				const up = Object.entries(host.addresses).flatMap(([network, address]) => [
					`addr add ${address}/24 dev ${network}`,
					`link set ${network} up`,
				]);
				await batch(`${hub}-${host.name}`, ["link set lo up", ...up]);
				// `ip netns exec` puts this file in the place of /etc/hosts.
				await mkdir(`/etc/netns/${hub}-${host.name}`, { recursive: true });
				await writeFile(`/etc/netns/${hub}-${host.name}/hosts`, namesFor(host, hosts));
			}),
		);
		return { hosts, close };
	} catch (error) {
		await close();
		throw error;
	}
}

async function remove(namespaces: readonly string[]): Promise<void> {
	await Promise.allSettled(namespaces.map((namespace) => run("ip", ["netns", "delete", namespace])));
	await Promise.all(namespaces.map((namespace) => rm(`/etc/netns/${namespace}`, { recursive: true, force: true })));
}

/** Removes what a killed run left behind. */
async function removeLeftovers(): Promise<void> {
	const names = await readdir("/run/netns").catch(() => []);
	const isLeft = (name: string) => {
		const [, pid] = /^reelmill-(\d+)-/.exec(name) ?? [];
		return pid !== undefined && !existsSync(`/proc/${pid}`);
	};
	await remove(names.filter(isLeft));
}

const namesFor = (host: Host, all: readonly Host[]): string =>
	[
		"127.0.0.1 localhost",
		...all.flatMap(({ aliases, addresses }) => {
			const shared = Object.keys(addresses).find((network) => network in host.addresses);
			return shared === undefined ? [] : [`${addresses[shared]} ${aliases.join(" ")}`];
		}),
		"",
	].join("\n");

/** Runs commands of `ip` one after the other, in a namespace. */
async function batch(namespace: string | undefined, commands: readonly string[]): Promise<void> {
	const child = spawn("ip", [...(namespace === undefined ? [] : ["-n", namespace]), "-batch", "-"]);
	let words = "";
	child.stderr.on("data", (bytes: Buffer) => {
		words += bytes;
	});
	child.stdin.on("error", () => undefined);
	child.stdin.end(`${commands.join("\n")}\n`);
	const [code] = (await once(child, "close")) as [number | null];
	if (code !== 0) throw new Error(`ip failed: ${words.trim()}`);
}
