import { setTimeout as sleep } from "node:timers/promises";
import type { Fault as ProxyFault } from "@reelmill/fault-proxy";
import type { Way } from "../history/entries.ts";
import type { History } from "../history/history.ts";
import type { Fault, FaultKind } from "../plan/plan.ts";
import type { Server } from "./servers.ts";
import type { Supervised } from "./supervised.ts";
import type { World } from "./world.ts";

type Of<K extends FaultKind> = Extract<Fault, { readonly kind: K }>;
/** Resolves, once the fault is over, with false where there was nothing to do it to. */
type Injectors = { readonly [K in FaultKind]: (fault: Of<K>) => Promise<boolean> };

/** Does one thing of the plan to the world. Resolves when it is over; it never rejects. */
export function createInject(world: World, history: History): (fault: Fault) => Promise<void> {
	const { postgres, servers, disturbances } = world;
	const serverOf = ({ server }: { readonly server: number }): Server => servers[server] as Server;
	const killed = (what: "server" | "worker" | "client" | "postgres" | "backend" | "gateway", name: string, done: boolean): boolean => {
		if (done) history.add({ kind: "killed", what, name });
		return done;
	};
	const oneOf = (processes: readonly Supervised[], which: number): Supervised | undefined => {
		const up = processes.filter((process) => process.isUp());
		return up[which % Math.max(1, up.length)];
	};
	const killProcess = (what: "server" | "worker" | "client") => (process: Supervised | undefined) =>
		process !== undefined && killed(what, process.name, process.kill());
	const killServer = ({ process }: Server): boolean => killProcess("server")(process);

	/** Breaks a way for so long, and says so. */
	const breakWay = async (
		{ server, way }: { server: number; way: Way },
		milliseconds: number,
		how: (connections: Server["database"]) => void,
	): Promise<boolean> => {
		const connections = connectionsOf(servers[server] as Server, way);
		const end = disturbances.begin({ what: "unreachable", server, way });
		how(connections);
		await sleep(milliseconds);
		connections.resume();
		end();
		return true;
	};
	/** Does it to the next so many requests on a way, or to those of a while, whichever is over first. */
	const breakRequests = async (
		{ server, way }: { server: number; way: "clients" | "workers" },
		{ times, fault, milliseconds }: { times: number; fault: ProxyFault; milliseconds: number },
	): Promise<boolean> => {
		const end = disturbances.begin({ what: "slow", server, way });
		const rule = (servers[server] as Server)[way].requests.use({ times, fault });
		await Promise.race([rule.hit(times), sleep(3000)]);
		rule.remove();
		await sleep(milliseconds);
		end();
		return rule.hits > 0;
	};

	const injectors: Injectors = {
		// One at a time, so that something goes on; all at once is a fault of its own.
		"kill-server": async (fault) => servers.every(({ process }) => process.isUp()) && killServer(serverOf(fault)),
		"kill-all-servers": async () => servers.filter(killServer).length > 0,
		"kill-worker": async ({ which }) => killProcess("worker")(oneOf(world.workers, which)),
		"kill-all-workers": async () => world.workers.filter(killProcess("worker")).length > 0,
		"kill-client": async ({ which }) => killProcess("client")(oneOf(world.uploaders.processes, which)),
		"kill-all-clients": async () => world.uploaders.processes.filter(killProcess("client")).length > 0,
		"kill-postgres": async ({ signal, milliseconds }) => killed("postgres", signal, await postgres.crash(signal, milliseconds)),
		"kill-backend": async () => killed("backend", "backend", await postgres.killBackend()),
		async "kill-gateway"({ milliseconds }) {
			const end = disturbances.begin({ what: "storage" });
			await world.storage.crash(milliseconds);
			end();
			return killed("gateway", "gateway", true);
		},
		"terminate-backends": async () => (await postgres.terminateBackends()) > 0,
		async "freeze-server"({ server, milliseconds }) {
			const { process } = servers[server] as Server;
			if (!process.isUp() || process.isFrozen()) return false;
			const end = disturbances.begin({ what: "frozen", server });
			await process.freeze(milliseconds);
			end();
			return true;
		},
		async "freeze-worker"({ which, milliseconds }) {
			const worker = oneOf(world.workers, which);
			if (worker === undefined || worker.isFrozen()) return false;
			history.add({ kind: "froze", name: worker.name, milliseconds });
			return worker.freeze(milliseconds);
		},
		async "cut-connections"({ server, way }) {
			const end = disturbances.begin({ what: "unreachable", server, way });
			connectionsOf(servers[server] as Server, way).cut();
			end();
			return true;
		},
		"refuse-connections": (fault) => breakWay(fault, fault.milliseconds, (connections) => connections.refuse()),
		"stall-connections": (fault) => breakWay(fault, fault.milliseconds, (connections) => connections.stall()),
		"half-open-connections": (fault) => breakWay(fault, fault.milliseconds, (connections) => connections.halfOpen(fault.keeps)),
		"lose-answers": (fault) => breakRequests(fault, { times: fault.times, fault: { kind: "lose-answer" }, milliseconds: 0 }),
		"cut-bodies": (fault) =>
			breakRequests(fault, { times: fault.times, fault: { kind: "cut", direction: "request", afterBytes: fault.bytes }, milliseconds: 0 }),
		"delay-requests": (fault) =>
			breakRequests(fault, { times: fault.times, fault: { kind: "delay", milliseconds: fault.milliseconds }, milliseconds: fault.milliseconds }),
		async "fail-storage"({ how, milliseconds }) {
			const end = disturbances.begin({ what: "storage" });
			const rule = world.storage.proxy.use({ fault: storageFaults[how] });
			await sleep(milliseconds);
			rule.remove();
			end();
			return rule.hits > 0;
		},
		async "fill-disk"({ milliseconds }) {
			const end = disturbances.begin({ what: "disk-full" });
			const empty = await world.disk.fill();
			await sleep(milliseconds);
			await empty();
			end();
			return true;
		},
	};
	return async (fault) => {
		try {
			const done = await (injectors[fault.kind] as (fault: Fault) => Promise<boolean>)(fault);
			history.add({ kind: "fault", fault, done });
		} catch (error) {
			history.add({ kind: "noted", text: `${fault.kind} failed: ${error}` });
		}
	};
}

const connectionsOf = (server: Server, way: Way) => (way === "database" ? server.database : server[way].connections);

const storageFaults: Record<Of<"fail-storage">["how"], ProxyFault> = {
	refuse: { kind: "refuse", status: 503 },
	"refuse-after": { kind: "refuse-after", status: 500 },
	"lose-answer": { kind: "lose-answer" },
	silence: { kind: "silence" },
	cut: { kind: "cut", direction: "request", afterBytes: 0 },
	slow: { kind: "slow", direction: "request", bytesPerSecond: 20_000 },
};
