import type { Command } from "commander";
import { Option } from "commander";
import { type Forwarded, forward, forwardedText } from "../forward.ts";
import { heardEvents } from "../heard-events.ts";
import { forwardOption, secretOption, wholeNumber } from "../options.ts";
import type { Io } from "../printing.ts";
import { sessionOf } from "../session.ts";

type Options = { forward: string; secret?: string; interval: number };

export function addListen(parent: Command, io: Io): void {
	parent
		.command("listen")
		.description("send each event of the domain to a local address, until it is stopped")
		.addOption(forwardOption().makeOptionMandatory())
		.addOption(secretOption())
		.addOption(
			new Option("--interval <seconds>", "how often the service is asked").argParser(wholeNumber(1)).default(2),
		)
		.addHelpText(
			"after",
			`
It sends the events from now on, as the service would, with the service's signature. It needs no webhook_url and opens no tunnel.
The secret that it shows stays the same for the domain: give it to your receiver once. Events are signed with the domain's own secret, too.
Each event is sent once. The service's own deliveries still go to the domain's webhook_url.`,
		)
		.action(async ({ forward: url, secret, interval }: Options, command: Command) => {
			const session = sessionOf(io, command);
			const say = (text: string) => void io.stderr.write(`${text}\n`);
			const events = heardEvents(session.reelmill().webhookListeners, {
				intervalSeconds: interval,
				signal: io.signal,
				onReady: (own) => say(`Forwarding events to ${url}, signed with ${secret ?? own}`),
				onGap: () => say("The service had stopped listening for this command: some events may be missing."),
				onOutage: ({ message }) => say(message),
			});
			try {
				for await (const event of events)
					session.stream<Forwarded>(await forward(event, { url, secret, signal: io.signal }), forwardedText);
			} catch (error) {
				if (!io.signal.aborted) throw error;
			}
		});
}
