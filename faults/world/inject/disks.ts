import { setTimeout as sleep } from "node:timers/promises";
import type { DiskRule } from "@reelmill/fault-disk";
import { missingOf, readAcknowledged, readPlayable } from "../disks/power-cut.ts";
import { areUp, type Ground, type Injectors, killed } from "./injectors.ts";

/** Faults of the disk of uploads and outputs, and of the transcoders' disk. */
export function diskInjectors(
	ground: Ground,
): Injectors<"fill-disk" | "fill-worker-disk" | "fail-syncs" | "slow-syncs" | "cut-power"> {
	const { world, history } = ground;
	const { disk, workerDisk, disturbances, postgres } = world;
	const rules = new Set<DiskRule>();
	const whileRuled = async (effect: DiskRule["effect"], milliseconds: number): Promise<boolean> => {
		const rule: DiskRule = { call: "sync", path: disk.directory, effect };
		const end = disturbances.begin({ what: "syncs" });
		rules.add(rule);
		await world.diskFaults?.use([...rules]);
		await sleep(milliseconds);
		rules.delete(rule);
		await world.diskFaults?.use([...rules]);
		end();
		return true;
	};
	let isCutting = false;
	return {
		async "fill-disk"({ milliseconds }) {
			const end = disturbances.begin({ what: "disk-full" });
			const empty = await disk.fill();
			await sleep(milliseconds);
			await empty();
			end();
			return true;
		},
		async "fill-worker-disk"({ milliseconds }) {
			const empty = await workerDisk.fill();
			await sleep(milliseconds);
			await empty();
			return true;
		},
		"fail-syncs": ({ milliseconds }) => whileRuled({ kind: "fail", code: "EIO" }, milliseconds),
		"slow-syncs": ({ each, milliseconds }) => whileRuled({ kind: "delay", milliseconds: each }, milliseconds),
		/**
		 * Kills one server first, so that the others answer for what it wrote. A while later it kills all, and copies the
		 * disk. Everything that was acknowledged by then must be in the copy.
		 */
		async "cut-power"({ first, milliseconds }) {
			if (isCutting) return false;
			isCutting = true;
			try {
				if (!(await areUp(world.servers)) || !postgres.isUp()) return false;
				const kill = (index: number): boolean => {
					const process = world.servers[index]?.process;
					return process !== undefined && killed(ground, "server", process.name, process.kill());
				};
				kill(first);
				await sleep(milliseconds);
				const outputs = await readPlayable(postgres.database);
				for (const index of world.servers.keys()) kill(index);
				const uploads = readAcknowledged(history);
				const copy = await disk.copy();
				try {
					const { checked, lost } = await missingOf(
						{ uploads, outputs },
						{ database: postgres.database, directory: copy.directory, clips: world.clips },
					);
					history.add({ kind: "cut-power", ...checked, lost });
				} finally {
					await copy.close();
				}
				return true;
			} finally {
				isCutting = false;
			}
		},
	};
}
