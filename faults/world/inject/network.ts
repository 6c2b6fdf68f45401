import { setTimeout as sleep } from "node:timers/promises";
import type { FaultRule } from "@reelmill/fault-proxy";
import type { Way } from "../../history/entries.ts";
import type { DatabaseAddress } from "../database/database-address.ts";
import type { Server } from "../processes/servers.ts";
import { type Ground, type Injectors, serverOf } from "./injectors.ts";

type Connections = Pick<DatabaseAddress, "cut" | "refuse" | "stall" | "halfOpen" | "resume">;
const connectionsOf = (server: Server, way: Way): Connections =>
	way === "database" ? server.database : server[way].connections;

/** How long to wait for a matching request. */
const requestMilliseconds = 4000;

/** Faults of the connections of servers. */
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
	/** Breaks a connection for a time, and records it. */
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
	/** Breaks the next `times` requests of one side, or those of a period, whichever ends first. */
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
		// A worker's archive is short, and a cut behind its end would do nothing.
		"cut-bodies": (fault) => {
			const [method, afterBytes] = fault.way === "clients" ? ["PATCH", fault.bytes] : ["PUT", fault.bytes % 1000];
			return breakRequests(fault, { when: { method }, fault: { kind: "cut", direction: "request", afterBytes } });
		},
		"delay-requests": (fault) =>
			breakRequests(fault, { fault: { kind: "delay", milliseconds: fault.milliseconds } }, fault.milliseconds),
	};
}
