import type { Background, EngineClock } from "./background/index.ts";
import type { ConsoleNoun } from "./console/index.ts";
import type { ImportsNoun } from "./imports/index.ts";
import type { Installation } from "./installation/index.ts";
import { readMigrations } from "./migrations.ts";
import type { Publications } from "./publications/index.ts";
import type { SandboxNoun } from "./sandbox/index.ts";
import type { Secrets } from "./secrets/index.ts";
import type { ServingNoun } from "./serving/index.ts";
import type { Stores } from "./storage/index.ts";
import type { WebhooksNoun } from "./webhooks/index.ts";

export type Lifecycle = {
	/**
	 * Brings the database's schema up to date, then works in the background until `stop`. Calling it twice starts it
	 * once.
	 *
	 * @throws {InstallationError} When the database's schema is too new, or when the master key or the storage isn't the
	 * one that the database belongs to.
	 * @throws When the database can't be reached.
	 */
	start(): Promise<void>;
	/**
	 * Ends the background work and closes the buckets in use. Resolves when both are done. The adapters stay open:
	 * whoever opened them closes them.
	 */
	stop(): Promise<void>;
	/**
	 * Does the background's work once, now: sweeps, and sends the webhooks that are due. For tests, and for embedders
	 * with a scheduler of their own.
	 */
	sweep(): Promise<void>;
};

export type LifecycleOptions = {
	readonly time: EngineClock;
	readonly installation: Installation;
	readonly resealing: Secrets["resealing"];
	readonly sandbox: SandboxNoun;
	readonly console: ConsoleNoun;
	readonly serving: ServingNoun;
	readonly webhooks: WebhooksNoun;
	readonly publications: Publications;
	readonly imports: ImportsNoun;
	readonly background: Background;
	readonly stores: Stores;
	/** Resolves when no work goes on that outlasted the wait for it. */
	readonly idle: () => Promise<void>;
};

/** Starts, stops and sweeps the nouns in the right order. */
export function createLifecycle(options: LifecycleOptions): Lifecycle {
	const {
		time,
		installation,
		resealing,
		sandbox,
		console,
		serving,
		webhooks,
		publications,
		imports,
		background,
		stores,
	} = options;
	const { idle } = options;
	return {
		async start() {
			// The first answer includes the time for connecting. The second one is more exact.
			for (let times = 0; times < 2; times++) await time.measure();
			await installation.prepare(await readMigrations());
			await sandbox.prepare();
			await console.prepare();
			await installation.lookAround();
			background.start();
		},
		async stop() {
			await Promise.all([publications.stop(), imports.stop(), background.stop()]);
			await Promise.all([webhooks.idle(), idle()]);
			serving.forgetAll();
			await stores.close();
		},
		async sweep() {
			await time.tryToMeasure();
			await background.sweep();
			await imports.drain();
			while (await resealing.work());
			await publications.drain();
			await webhooks.sendDue();
		},
	};
}
