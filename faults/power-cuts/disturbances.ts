import { setTimeout as sleep } from "node:timers/promises";
import type { FailingDisk } from "@reelmill/fault-disk";
import type { BreakableServer } from "./server.ts";

/** What is broken around a power cut. */
export const disturbances = [
	"kill",
	"failing-disk",
	"nothing",
	"failing-syncs",
	"kill-over-a-sync",
	"slow-syncs",
	"out-of-memory",
	"kill-over-a-failed-sync",
] as const;
export type Disturbance = (typeof disturbances)[number];

type Broken = { readonly server: BreakableServer; readonly disk: FailingDisk };
/**
 * `begin` resolves when everything is broken, perhaps only after the cut; with false if the server could only be
 * killed. `end` repairs everything.
 */
type Begun = { begin(): Promise<boolean>; end(): Promise<void> };

const failMilliseconds = 150;

export function createDisturbance(kind: Disturbance, { server, disk }: Broken): Begun {
	const done = async (broken: Promise<void>): Promise<boolean> => {
		await broken;
		return true;
	};
	const syncs = (effect: { kind: "fail"; code: "EIO" } | { kind: "delay"; milliseconds: number }) =>
		done(server.disk.use([{ call: "sync", path: `${disk.directory}/uploads`, effect }]));
	const nothing = async (): Promise<void> => undefined;
	const heal = (): Promise<void> => server.disk.use([]);
	const kinds: Record<Disturbance, Begun> = {
		nothing: { begin: () => done(nothing()), end: nothing },
		kill: { begin: () => done(server.restart()), end: nothing },
		"out-of-memory": { begin: () => server.starve(), end: nothing },
		"failing-disk": { begin: () => done(disk.fail()), end: () => disk.heal() },
		"failing-syncs": { begin: () => syncs({ kind: "fail", code: "EIO" }), end: heal },
		"slow-syncs": { begin: () => syncs({ kind: "delay", milliseconds: 200 }), end: heal },
		"kill-over-a-sync": {
			async begin() {
				await syncs({ kind: "delay", milliseconds: 10_000 });
				await sleep(failMilliseconds);
				return done(server.restart());
			},
			end: heal,
		},
		"kill-over-a-failed-sync": {
			async begin() {
				await disk.fail();
				await sleep(failMilliseconds);
				await disk.heal();
				return done(server.restart());
			},
			end: () => disk.heal(),
		},
	};
	return kinds[kind];
}
