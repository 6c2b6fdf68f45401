import sql from "sql-template-tag";
import { type Chores, createLoop, type Loop, type Pulse } from "../background/index.ts";
import type { Pages } from "../cursors/index.ts";
import type { WebhookTransport } from "../ports/index.ts";
import type { KeyRing, Sealer } from "../secrets/index.ts";
import type { Parts } from "../system/index.ts";
import type { Windows } from "../windows.ts";
import { createDeliveryLog, type Webhooks } from "./delivery-log.ts";
import { createDeliveryLogPrune } from "./delivery-log-prune.ts";
import { createDispatcher } from "./dispatcher.ts";
import { isOfAge } from "./leases.ts";
import { createListeners, type Listeners } from "./listeners.ts";
import { createLogDays } from "./log-days.ts";

/** The delivery log, and what sends deliveries. */
export type WebhooksNoun = Webhooks &
	Listeners & {
		/** Sends what is due. Wake it after a delivery was queued. */
		readonly loop: Loop;
		/** Makes all attempts that are due now. Resolves when they have ended. */
		sendDue(): Promise<void>;
		/** Resolves when no attempt of this server runs. */
		idle(): Promise<void>;
		readonly chores: Chores;
	};

export type WebhooksOptions = {
	readonly pulse: Pulse;
	readonly pages: Pages;
	readonly sealer: Sealer;
	/** What the secret of listeners is derived from. */
	readonly listenerKeys: KeyRing;
	/** Where users reach the service. */
	readonly baseUrl: string;
	readonly transport: WebhookTransport;
	readonly windows: Pick<Windows, "webhookSchedule" | "webhookLog">;
	/** The version of the program, for the User-Agent. */
	readonly version: string;
};

/** The pulse wakes the loop while a delivery of the last two days is pending. By itself the loop looks this often. */
const unwokenMilliseconds = 60_000;

export function createWebhooks(parts: Parts, options: WebhooksOptions): WebhooksNoun {
	const { pages, sealer, transport, windows, version, listenerKeys, baseUrl } = options;
	const userAgent = `Reelmill-Webhooks/${version}`;
	const dispatcher = createDispatcher(parts, {
		sealer,
		transport,
		schedule: windows.webhookSchedule,
		userAgent,
		onRoom: () => loop.wake(),
	});
	const loop = createLoop(parts, {
		name: "webhooks",
		work: async () => (await dispatcher.start()) > 0,
		intervalMilliseconds: unwokenMilliseconds,
	});
	options.pulse.ask({
		question: () =>
			sql`exists (select from reelmill.webhook_deliveries w where w.status = 'pending' and ${isOfAge("recent", sql`w`, parts.clock.now())})`,
		answered: (isTrue) => isTrue && loop.wake(),
	});
	const days = createLogDays(parts, { keepSeconds: windows.webhookLog });
	return {
		...createDeliveryLog(parts, {
			pages,
			onReplayed: () => {
				dispatcher.lookBack();
				loop.wake();
			},
		}),
		...createListeners(parts, { sealer, keys: listenerKeys, baseUrl, userAgent }),
		loop,
		async sendDue() {
			dispatcher.lookBack();
			while ((await dispatcher.start()) > 0) await dispatcher.idle();
		},
		idle: dispatcher.idle,
		chores: {
			makeWebhookDays: days.make,
			dropWebhookDays: days.drop,
			pruneWebhookLog: createDeliveryLogPrune(parts, { keepSeconds: windows.webhookLog }),
		},
	};
}
