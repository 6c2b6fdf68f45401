import { type Chores, createLoop, type Loop } from "../background/index.ts";
import type { Pages } from "../cursors/index.ts";
import type { WebhookTransport } from "../ports/index.ts";
import type { Sealer } from "../secrets/index.ts";
import type { Parts } from "../system/index.ts";
import { createDeliveryLog, type Webhooks } from "./delivery-log.ts";
import { createDeliveryLogPrune } from "./delivery-log-prune.ts";
import { createDispatcher } from "./dispatcher.ts";

/** The delivery log, and what sends deliveries. */
export type WebhooksNoun = Webhooks & {
	/** Sends what is due. Wake it after a delivery was queued. */
	readonly loop: Loop;
	/** Makes all attempts that are due now. Resolves when they have ended. */
	sendDue(): Promise<void>;
	/** Resolves when no attempt of this server runs. */
	idle(): Promise<void>;
	readonly chores: Chores;
};

export type WebhooksOptions = {
	readonly pages: Pages;
	readonly sealer: Sealer;
	readonly transport: WebhookTransport;
	/** The wait in seconds before each attempt. */
	readonly schedule: readonly number[];
	/** How long a delivery stays in the log after its last attempt. */
	readonly keepSeconds: number;
	/** Told to endpoints as the User-Agent. */
	readonly userAgent: string;
};

/** How soon this server sends what another one queued. */
const pollMilliseconds = 1000;

export function createWebhooks(parts: Parts, options: WebhooksOptions): WebhooksNoun {
	const { pages, keepSeconds } = options;
	const dispatcher = createDispatcher(parts, { ...options, onRoom: () => loop.wake() });
	const loop = createLoop(parts, {
		name: "webhooks",
		work: async () => (await dispatcher.start()) > 0,
		intervalMilliseconds: pollMilliseconds,
	});
	return {
		...createDeliveryLog(parts, { pages, onReplayed: loop.wake }),
		loop,
		async sendDue() {
			while ((await dispatcher.start()) > 0) await dispatcher.idle();
		},
		idle: dispatcher.idle,
		chores: { pruneWebhookLog: createDeliveryLogPrune(parts, { keepSeconds }) },
	};
}
