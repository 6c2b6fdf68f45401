import type { History } from "../../history/history.ts";
import type { Fault } from "../../plan/catalogue.ts";
import type { World } from "../world.ts";
import { databaseInjectors } from "./database.ts";
import { diskInjectors } from "./disks.ts";
import type { Injectors } from "./injectors.ts";
import { machineInjectors } from "./machines.ts";
import { networkInjectors } from "./network.ts";
import { outsideInjectors } from "./outside.ts";
import { processInjectors } from "./processes.ts";

/**
 * Creates a function that does one fault of the plan. It resolves when the fault is over, with whether it was done. It
 * never rejects.
 */
export function createInject(world: World, history: History): (fault: Fault) => Promise<boolean> {
	const ground = { world, history };
	const injectors: Injectors = {
		...processInjectors(ground),
		...networkInjectors(ground),
		...databaseInjectors(ground),
		...diskInjectors(ground),
		...machineInjectors(ground),
		...outsideInjectors(ground),
	};
	return async (fault) => {
		try {
			const done = await (injectors[fault.kind] as (fault: Fault) => Promise<boolean>)(fault);
			history.add({ kind: "fault", fault, done });
			return done;
		} catch (error) {
			history.add({ kind: "noted", text: `${fault.kind} failed: ${error}` });
			return false;
		}
	};
}
