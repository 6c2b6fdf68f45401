import { randomUUID } from "node:crypto";
import type { DeliveryType } from "@reelmill/node";
import { Argument, type Command } from "commander";
import { OutcomeError } from "../failure.ts";
import { type Forwarded, forward, forwardedText } from "../forward.ts";
import { endListening } from "../heard-events.ts";
import { forwardOption, secretOption } from "../options.ts";
import type { Io } from "../printing.ts";
import { sessionOf } from "../session.ts";

/** Every type that a receiver can get. */
export const deliveryTypes: readonly DeliveryType[] = [
	"video.ready",
	"video.failed",
	"video.expired",
	"video.cancelled",
	"video.updated",
	"webhook.test",
];

export function addTrigger(parent: Command, io: Io): void {
	parent
		.command("trigger")
		.description("make up an event of a type for those who listen; nothing is sent to the domain's webhook_url")
		.addArgument(new Argument("<type>").choices(deliveryTypes))
		.addOption(forwardOption())
		.addOption(secretOption())
		.addHelpText(
			"after",
			`
Every running \`reelmill webhooks listen\` of the domain gets the event, and \`reelmill dev --forward\`. With --forward this command listens itself, and ends with 1 unless the address answers with 2xx.
The event is whole and signed; its video is nobody's.`,
		)
		.action(async (type: DeliveryType, options: { forward?: string; secret?: string }, command: Command) => {
			const session = sessionOf(io, command);
			const { webhookListeners: listeners } = session.reelmill();
			const { signal } = io;
			if (options.forward === undefined) {
				const triggered = await listeners.trigger(type, { signal });
				return session.print(
					triggered,
					({ id, listeners: count }) => `${type}  ${id}  to ${count === 1 ? "1 listener" : `${count} listeners`}`,
				);
			}
			const listener = randomUUID();
			await listeners.listen(listener, { signal });
			const heard: string[] = [];
			let told: Forwarded;
			try {
				const { id } = await listeners.trigger(type, { signal });
				const { data } = await listeners.listen(listener, { signal });
				heard.push(...data.map((one) => one.id));
				const event = data.find((one) => one.id === id);
				if (event === undefined) throw new OutcomeError("event_missing", `The event ${id} is not there.`);
				told = await forward(event, { url: options.forward, secret: options.secret, signal });
			} finally {
				await endListening(listeners, listener, heard);
			}
			session.print(told, forwardedText);
			if (told.status === null || told.status < 200 || told.status > 299)
				throw new OutcomeError("not_accepted", `${options.forward} did not accept the event.`);
		});
}
