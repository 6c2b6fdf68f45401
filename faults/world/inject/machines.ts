import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { openMemoryGroup } from "@reelmill/fault-disk";
import { areUp, type Ground, type Injectors, killed, serverOf } from "./injectors.ts";

const run = promisify(execFile);
/** How much memory a server may still get before the kernel kills it. */
const memoryBytes = 2 * 2 ** 20;
const memoryMilliseconds = 6000;
const otherKey = "11".repeat(32);

/** Faults of a server's machine: descriptors, memory, clock, settings. */
export function machineInjectors(
	ground: Ground,
): Injectors<"exhaust-descriptors" | "exhaust-memory" | "step-clock" | "change-key"> {
	const { world, history } = ground;
	const stepped = new Set<number>();
	let groups = 0;
	return {
		async "exhaust-descriptors"(fault) {
			const server = serverOf(ground, fault);
			const pid = (await areUp([server])) ? server.process.pid : undefined;
			if (pid === undefined) return false;
			const limit = (most: string) => run("prlimit", ["--pid", String(pid), `--nofile=${most}`]);
			const hard = (
				await run("prlimit", ["--pid", String(pid), "--nofile", "--noheadings", "--output", "HARD"])
			).stdout.trim();
			const end = world.disturbances.begin({ what: "descriptors", server: fault.server });
			await limit(`${await firstFree(pid)}:`);
			await sleep(fault.milliseconds);
			await limit(`${hard}:`).catch(() => undefined);
			end();
			return true;
		},
		async "exhaust-memory"(fault) {
			const server = serverOf(ground, fault);
			const { process } = server;
			const pid = (await areUp([server])) ? process.pid : undefined;
			if (pid === undefined) return false;
			const group = await openMemoryGroup(`server-${fault.server}-${++groups}`, memoryBytes);
			try {
				process.expectEnd();
				await group.add(pid);
				for (const until = Date.now() + memoryMilliseconds; process.pid === pid && Date.now() < until; )
					await sleep(20);
				const byKernel = process.pid !== pid && (await group.kills()) > 0;
				return killed(ground, "server", process.name, byKernel || (process.pid === pid && process.kill())) && byKernel;
			} finally {
				await group.close();
			}
		},
		async "step-clock"({ server, seconds, milliseconds }) {
			if (stepped.has(server)) return false;
			const { clock } = serverOf(ground, { server });
			const end = world.disturbances.begin({ what: "clock", server });
			stepped.add(server);
			clock.step(seconds);
			await sleep(milliseconds);
			clock.step(0);
			stepped.delete(server);
			end();
			return true;
		},
		async "change-key"(fault) {
			const server = serverOf(ground, fault);
			if (!(await areUp([server])) || !world.postgres.isUp()) return false;
			const end = await server.startOnceWith({ REELMILL_MASTER_KEY: otherKey });
			if (end === null) return false;
			killed(ground, "server", server.process.name, true);
			history.add({ kind: "wrong-key", server: fault.server, ...end });
			return true;
		},
	};
}

/** Returns the number that the process's next descriptor would have. */
async function firstFree(pid: number): Promise<number> {
	const taken = new Set((await readdir(`/proc/${pid}/fd`)).map(Number));
	let number = 0;
	while (taken.has(number)) number++;
	return number;
}
