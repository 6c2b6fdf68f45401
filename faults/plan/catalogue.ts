import type { Random } from "./random.ts";

/**
 * The number of servers in a run. Each has its own address of the database, and two relays before it: one for clients,
 * one for workers.
 */
export const serverCount = 2;

const number = (least: number, most: number) => (random: Random) => random.integer(least, most);
const oneOf =
	<T extends string | number>(...names: readonly [T, ...T[]]) =>
	(random: Random) =>
		random.pick(names);
const server = number(0, serverCount - 1);
/** Both shorter and longer than a worker's lock. */
const pause = number(300, 6000);
const brief = number(200, 3000);

/**
 * All faults by kind. `weight` is how often the kind comes compared with the others; `draw` lists the values that are
 * drawn for it. `milliseconds` is how long the fault lasts.
 */
export const catalogue = {
	"kill-server": { weight: 10, draw: { server } },
	"kill-all-servers": { weight: 2, draw: {} },
	"kill-worker": { weight: 42, draw: { which: number(0, 99) } },
	"kill-all-workers": { weight: 3, draw: {} },
	"notice-worker": { weight: 6, draw: {} },
	"kill-client": { weight: 40, draw: { which: number(0, 99) } },
	"kill-all-clients": { weight: 3, draw: {} },
	"kill-postgres": {
		weight: 9,
		draw: { signal: oneOf("SIGQUIT", "SIGQUIT", "SIGQUIT", "SIGKILL"), milliseconds: number(0, 1500) },
	},
	"kill-backend": { weight: 2, draw: {} },
	"kill-gateway": { weight: 1, draw: { milliseconds: number(0, 1500) } },
	"terminate-backends": { weight: 4, draw: {} },
	"replace-server": { weight: 3, draw: { server, milliseconds: pause } },
	"freeze-server": { weight: 4, draw: { server, milliseconds: pause } },
	"freeze-worker": { weight: 6, draw: { which: number(0, 99), milliseconds: number(2000, 9000) } },
	"cut-connections": { weight: 6, draw: { server, way: oneOf("clients", "workers", "database") } },
	"refuse-connections": {
		weight: 2,
		draw: { server, way: oneOf("clients", "workers", "database"), milliseconds: brief },
	},
	"stall-connections": {
		weight: 4,
		draw: { server, way: oneOf("clients", "workers", "database"), milliseconds: pause },
	},
	"half-open-connections": {
		weight: 5,
		draw: {
			server,
			way: oneOf("clients", "workers", "database"),
			keeps: oneOf("client", "server"),
			milliseconds: pause,
		},
	},
	"lose-answers": { weight: 8, draw: { server, way: oneOf("clients", "workers"), times: number(1, 4) } },
	"cut-bodies": {
		weight: 5,
		draw: { server, way: oneOf("clients", "workers"), times: number(1, 3), bytes: number(1, 20_000) },
	},
	"delay-requests": {
		weight: 3,
		draw: { server, way: oneOf("clients", "workers"), times: number(1, 6), milliseconds: brief },
	},
	"fail-storage": {
		weight: 6,
		draw: { how: oneOf("refuse", "refuse-after", "lose-answer", "silence", "cut", "slow"), milliseconds: pause },
	},
	"fill-disk": { weight: 3, draw: { milliseconds: brief } },
	"fill-database-disk": { weight: 2, draw: { milliseconds: brief } },
	"fill-worker-disk": { weight: 2, draw: { milliseconds: pause } },
	"fail-syncs": { weight: 3, draw: { milliseconds: brief } },
	"slow-syncs": { weight: 3, draw: { each: oneOf(300, 2000, 15_000), milliseconds: pause } },
	"cut-power": { weight: 2, draw: { first: server, milliseconds: brief } },
	"exhaust-descriptors": { weight: 3, draw: { server, milliseconds: brief } },
	"exhaust-memory": { weight: 2, draw: { server } },
	"step-clock": { weight: 4, draw: { server, seconds: oneOf(-3600, -100, -15, 15, 100, 3600), milliseconds: pause } },
	"stop-postgres": { weight: 3, draw: { milliseconds: number(0, 1500) } },
	"fail-over": { weight: 3, draw: { how: oneOf("SIGKILL", "SIGQUIT", "SIGSTOP") } },
	"drip-answers": { weight: 2, draw: { milliseconds: pause } },
	"fail-names": { weight: 2, draw: { milliseconds: pause } },
	"silence-names": { weight: 2, draw: { milliseconds: pause } },
	"change-key": { weight: 2, draw: { server } },
	lie: {
		weight: 4,
		draw: {
			how: oneOf(
				"an empty file",
				"a wrong size",
				"a broken playlist",
				"a range too far",
				"a mad duration",
				"mad dimensions",
			),
		},
	},
} as const satisfies Record<string, { weight: number; draw: Record<string, (random: Random) => number | string> }>;

type Catalogue = typeof catalogue;
export type FaultKind = keyof Catalogue;
/** One fault of the plan. */
export type Fault = {
	[K in FaultKind]: { readonly kind: K } & {
		readonly [D in keyof Catalogue[K]["draw"]]: Drawn<Catalogue[K]["draw"][D]>;
	};
}[FaultKind];
type Drawn<D> = D extends (random: Random) => infer T ? T : never;

export const faultKinds = Object.keys(catalogue) as [FaultKind, ...FaultKind[]];
