import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Server } from "../processes/servers.ts";
import type { Supervised } from "../processes/supervised.ts";
import { areUp, type Ground, type Injectors, killed, serverOf } from "./injectors.ts";

const oneOf = (processes: readonly Supervised[], which: number): Supervised | undefined => {
	const up = processes.filter((process) => process.isUp());
	return up[which % Math.max(1, up.length)];
};

const encodeMilliseconds = 8000;

/** Waits until one of these runs a program, as while it encodes; undefined if none does within 8 s. */
async function encodingOf(workers: readonly Supervised[]): Promise<Supervised | undefined> {
	const isEncoding = async ({ pid }: Supervised): Promise<boolean> => {
		const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
		return children !== "";
	};
	for (const until = Date.now() + encodeMilliseconds; Date.now() < until; await sleep(20))
		for (const worker of workers) if (worker.isUp() && (await isEncoding(worker))) return worker;
	return undefined;
}

/** Processes that are killed, told to stop, or stand still. */
export function processInjectors(
	ground: Ground,
): Injectors<
	| "kill-server"
	| "kill-all-servers"
	| "kill-worker"
	| "kill-all-workers"
	| "notice-worker"
	| "kill-client"
	| "kill-all-clients"
	| "replace-server"
	| "freeze-server"
	| "freeze-worker"
> {
	const { world, history } = ground;
	const kill = (what: "server" | "worker" | "client") => (process: Supervised | undefined) =>
		process !== undefined && killed(ground, what, process.name, process.kill());
	const killServer = ({ process }: Server): boolean => kill("server")(process);
	return {
		// One server at a time, so that work goes on. Killing all of them is a fault of its own.
		"kill-server": async (fault) => (await areUp(world.servers)) && killServer(serverOf(ground, fault)),
		"kill-all-servers": async () => world.servers.filter(killServer).length > 0,
		"kill-worker": async ({ which }) => kill("worker")(oneOf(world.workers, which)),
		"kill-all-workers": async () => world.workers.filter(kill("worker")).length > 0,
		async "notice-worker"() {
			const worker = await encodingOf(world.placed);
			return worker !== undefined && (await worker.end());
		},
		"kill-client": async ({ which }) => kill("client")(oneOf(world.uploaders.processes, which)),
		"kill-all-clients": async () => world.uploaders.processes.filter(kill("client")).length > 0,
		"replace-server": async (fault) =>
			(await areUp(world.servers)) && serverOf(ground, fault).replaceFor(fault.milliseconds),
		async "freeze-server"(fault) {
			const server = serverOf(ground, fault);
			if (!(await areUp([server]))) return false;
			const { process } = server;
			const end = world.disturbances.begin({ what: "frozen", server: fault.server });
			await process.freeze(fault.milliseconds);
			end();
			return true;
		},
		async "freeze-worker"({ which, milliseconds }) {
			const worker = oneOf(world.workers, which);
			if (worker === undefined || worker.isFrozen()) return false;
			history.add({ kind: "froze", name: worker.name, milliseconds });
			return worker.freeze(milliseconds);
		},
	};
}
