import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Told } from "../../history/entries.ts";
import type { History } from "../../history/history.ts";
import type { Random } from "../../plan/random.ts";
import type { Assignment, Intent } from "../../processes/upload-attempt.ts";
import type { UploaderSetup } from "../../processes/uploader.ts";
import { childEnvironment } from "../processes/child-environment.ts";
import type { Server } from "../processes/servers.ts";
import { type Supervised, supervise } from "../processes/supervised.ts";
import type { Tenant } from "./tenants.ts";

export type Uploaders = {
	readonly processes: readonly Supervised[];
	/** How many uploads were begun. */
	readonly begun: number;
	/** Begins no more uploads; resolves when the running ones are done. */
	finish(): Promise<void>;
	stop(): Promise<void>;
};

const program = fileURLToPath(new URL("../../processes/uploader.ts", import.meta.url));
/** One in six uploads is not meant to become a video. */
const shareOfOthers = 1 / 6;
const others: readonly [Intent, ...Intent[]] = [
	"abandon",
	"cancel",
	"cancel-whole",
	"cancel-whole",
	"terminate",
	"delete-whole",
	"delete-whole",
];

type Message =
	| { readonly ready: true }
	| { readonly done: number }
	| { readonly ticket: { number: number; video: string; token: string } }
	| Told;

/**
 * Keeps `count` uploads under way. If an uploader is killed, the next one continues its upload from what it had
 * reported.
 */
export function startUploaders(
	count: number,
	options: {
		readonly servers: readonly Server[];
		readonly tenants: readonly [Tenant, ...Tenant[]];
		readonly clips: UploaderSetup["clips"];
		readonly cacheDirectory: string;
		readonly random: Random;
		readonly history: History;
		readonly patience: number;
		/**
		 * Returns whether a further upload may begin: the uploads under way, and those that wait for a worker, are bounded.
		 */
		readonly room: () => boolean;
	},
): Uploaders {
	const { servers, tenants, clips, random, history } = options;
	let [begun, isFinishing] = [0, false];
	let resolveIdle: () => void = () => undefined;
	const busy = new Map<number, Assignment>();

	const assign = (): Assignment => ({
		number: ++begun,
		...random.pick(tenants),
		seed: random.integer(0, 2 ** 31),
		size: random.integer(1000, 300_000),
		intent: random.chance(shareOfOthers) ? random.pick(others) : "finish",
		known: null,
	});
	const processes = Array.from({ length: count }, (_, index): Supervised => {
		const name = `client-${index}`;
		let waiting: NodeJS.Timeout | undefined;
		const next = (): void => {
			clearTimeout(waiting);
			if (!busy.has(index)) {
				if (isFinishing) {
					if (busy.size === 0) resolveIdle();
					return;
				}
				if (!options.room()) {
					waiting = setTimeout(next, 200);
					return;
				}
				busy.set(index, assign());
			}
			supervised.send(busy.get(index) as Assignment);
		};
		const supervised = supervise({
			name,
			spawn() {
				const setup: UploaderSetup = {
					name,
					patience: options.patience,
					relays: servers.map(({ clients }) => clients.url),
					clips,
					seed: random.integer(0, 2 ** 31),
				};
				return fork(program, [JSON.stringify(setup)], {
					env: childEnvironment(options.cacheDirectory),
					stdio: ["ignore", "ignore", "inherit", "ipc"],
				});
			},
			ready: (child) =>
				new Promise<void>((resolve) => child.on("message", (message) => "ready" in (message as object) && resolve())),
			pauseMilliseconds: () => random.integer(0, 400),
			onUp: () => next(),
			onFell: (how) => history.add({ kind: "fell", name, how }),
			onMessage(message) {
				const told = message as Message;
				if ("kind" in told) history.add(told);
				else if ("ticket" in told) {
					const assignment = busy.get(index);
					if (assignment?.number === told.ticket.number) busy.set(index, { ...assignment, known: told.ticket });
				} else if ("done" in told) {
					if (busy.get(index)?.number === told.done) busy.delete(index);
					next();
				}
			},
		});
		return supervised;
	});
	return {
		processes,
		get begun() {
			return begun;
		},
		async finish() {
			isFinishing = true;
			if (busy.size > 0) await new Promise<void>((resolve) => (resolveIdle = resolve));
		},
		async stop() {
			await Promise.all(processes.map((each) => each.stop()));
		},
	};
}
