import { setTimeout as sleep } from "node:timers/promises";
import type { FaultRule } from "@reelmill/fault-proxy";
import type { Way } from "../../history/entries.ts";
import type { DatabaseAddress } from "../database/database-address.ts";
import type { Server } from "../processes/servers.ts";
import { type Ground, type Injectors, serverOf } from "./injectors.ts";

type Connections = Pick<DatabaseAddress, "cut" | "refuse" | "stall" | "halfOpen" | "resume">;
const connectionsOf = (server: Server, way: Way): Connections =>
	way === "database" ? server.database : server[way].connections;

/** How long it may take until such a request comes. */
const requestMilliseconds = 4000;

/** What lies between a server and those who speak with it. */
export function networkInjectors(
	ground: Ground,
): Injectors<
	| "cut-connections"
	| "refuse-connections"
	| "stall-connections"
	| "half-open-connections"
	| "lose-answers"
	| "cut-bodies"
	| "delay-requests"
> {
	const { disturbances } = ground.world;
	/** Breaks a way for so long, and says so. */
	const breakWay = async (
		fault: { server: number; way: Way; milliseconds: number },
		how: (connections: Connections) => void,
	): Promise<boolean> => {
		const connections = connectionsOf(serverOf(ground, fault), fault.way);
		const end = disturbances.begin({ what: "unreachable", server: fault.server, way: fault.way });
		how(connections);
		await sleep(fault.milliseconds);
		connections.resume();
		end();
		return true;
	};
	/** Does it to the next so many requests on a way, or to those of a while, whichever is over first. */
	const breakRequests = async (
		target: { server: number; way: "clients" | "workers"; times: number },
		breaks: Pick<FaultRule, "fault" | "when">,
		milliseconds = 0,
	): Promise<boolean> => {
		const { server, way, times } = target;
		const end = disturbances.begin({ what: "slow", server, way });
		const rule = serverOf(ground, target)[way].requests.use({ times, ...breaks });
		await Promise.race([rule.hit(times), sleep(requestMilliseconds)]);
		rule.remove();
		await sleep(milliseconds);
		end();
		return rule.hits > 0;
	};
	return {
		"cut-connections": (fault) => breakWay({ ...fault, milliseconds: 0 }, (connections) => connections.cut()),
		"refuse-connections": (fault) => breakWay(fault, (connections) => connections.refuse()),
		"stall-connections": (fault) => breakWay(fault, (connections) => connections.stall()),
		"half-open-connections": (fault) => breakWay(fault, (connections) => connections.halfOpen(fault.keeps)),
		"lose-answers": (fault) => breakRequests(fault, { fault: { kind: "lose-answer" } }),
		// What is cut behind its end passes: a worker's archive is short.
		"cut-bodies": (fault) => {
			const [method, afterBytes] = fault.way === "clients" ? ["PATCH", fault.bytes] : ["PUT", fault.bytes % 1000];
			return breakRequests(fault, { when: { method }, fault: { kind: "cut", direction: "request", afterBytes } });
		},
		"delay-requests": (fault) =>
			breakRequests(fault, { fault: { kind: "delay", milliseconds: fault.milliseconds } }, fault.milliseconds),
	};
}
