import { randomBytes } from "node:crypto";
import { ConnectionError, isReelmillError, type Reelmill, signWebhook, type WebhookDelivery } from "@reelmill/node";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { CliIo } from "../io.ts";
import { newDeliveries } from "../new-deliveries.ts";
import { wholeNumber } from "../options.ts";
import { sessionOf } from "../session.ts";
import { version } from "../version.ts";

type Options = { forward: string; secret?: string; interval: number };

/** The result of forwarding one delivery to the local address. */
type Forwarded = {
	delivery_id: string;
	type: string;
	video_id: string;
	forwarded: boolean;
	status: number | null;
	error: string | null;
};

export function addListen(parent: Command, io: CliIo): void {
	parent
		.command("listen")
		.description("send each new event to a local address as well, until it is stopped")
		.addOption(
			new Option("--forward <url>", "the local address, for example http://localhost:3000/hooks")
				.argParser(httpUrl)
				.makeOptionMandatory(),
		)
		.option("--secret <whsec>", "the secret to sign with; otherwise one is made and shown")
		.addOption(
			new Option("--interval <seconds>", "how often the log is looked at").argParser(wholeNumber(1)).default(2),
		)
		.addHelpText(
			"after",
			`
It polls the delivery log; no tunnel is opened. The list that it polls holds no bodies, so each event is rebuilt: its video is as it is now, not as it was when
the event happened, and an event of a video that was deleted can't be rebuilt. Forwarded events carry the header Service-Rebuilt: true.
Reelmill's own deliveries go to the domain's webhook_url as ever.`,
		)
		.action(
			async ({ forward, secret = `whsec_${randomBytes(24).toString("hex")}`, interval }: Options, command: Command) => {
				const session = sessionOf(io, command);
				const reelmill = session.reelmill();
				const { id: domainId, config, webhook_secret_set } = await reelmill.domain.get({ signal: io.signal });
				const say = (text: string) => void io.stderr.write(`${text}\n`);
				if (config.webhook_url === null || !webhook_secret_set)
					say(
						"The domain has no webhook_url or no webhook_secret: nothing enters its log until both are set (reelmill config set).",
					);
				const deliveries = newDeliveries(reelmill.webhookDeliveries, {
					intervalSeconds: interval,
					signal: io.signal,
					onReady: () =>
						say(`Forwarding new events to ${forward}, rebuilt from the delivery log and signed with ${secret}`),
					onOutage: ({ message }) => say(message),
				});
				try {
					for await (const delivery of deliveries) {
						const { id, type, video_id } = delivery;
						const { status, error } = await forwarded(reelmill, delivery, {
							domainId,
							url: forward,
							secret,
							signal: io.signal,
						});
						const told: Forwarded = { delivery_id: id, type, video_id, forwarded: status !== null, status, error };
						session.stream(told, forwardedText);
					}
				} catch (error) {
					if (!io.signal.aborted) throw error;
				}
			},
		);
}

function httpUrl(text: string): string {
	if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
		throw new InvalidArgumentError("It is an address such as http://localhost:3000/hooks.");
	return text;
}

const forwardedText = ({ type, video_id, status, error }: Forwarded): string =>
	`${type.padEnd(15)}  ${video_id}  ${error === "video_not_found" ? "not sent: its video was deleted" : `answered ${status ?? `not at all: ${error}`}`}`;

type Outcome = Pick<Forwarded, "status" | "error">;
type Way = { domainId: string; url: string; secret: string; signal: AbortSignal };

/** Makes the body of a delivery's event again, with its video as it is now, and sends it once. */
async function forwarded(
	reelmill: Reelmill,
	{ id, type, created_at, video_id }: WebhookDelivery,
	{ domainId, ...way }: Way,
): Promise<Outcome> {
	try {
		// A test event's video is nobody's; its body is the one that was sent.
		if (type === "webhook.test") {
			const { body } = await reelmill.webhookDeliveries.get(id, { signal: way.signal });
			return await post(JSON.parse(body), way);
		}
		const video = await reelmill.videos.get(video_id, { signal: way.signal });
		return await post({ id, type, created_at, domain_id: domainId, data: { video } }, way);
	} catch (error) {
		if (isReelmillError(error, "video_not_found")) return { status: null, error: error.code };
		if (error instanceof ConnectionError) return { status: null, error: error.message };
		throw error;
	}
}

/** Milliseconds. An address that does not answer in this time is reported and not tried again. */
async function post(
	event: { readonly id: string; readonly [field: string]: unknown },
	{ url, secret, signal }: Omit<Way, "domainId">,
): Promise<Outcome> {
	const body = JSON.stringify(event);
	try {
		const response = await fetch(url, {
			method: "POST",
			redirect: "manual",
			body,
			signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]),
			headers: {
				"content-type": "application/json",
				"user-agent": `reelmill-cli/${version}`,
				"service-delivery-id": event.id,
				"service-signature": await signWebhook({
					payload: body,
					secrets: [secret],
					timestamp: Math.floor(Date.now() / 1000),
				}),
				"service-rebuilt": "true",
			},
		});
		await response.body?.cancel();
		return { status: response.status, error: null };
	} catch (error) {
		signal.throwIfAborted();
		const { cause, message } = error as Error & { cause?: { code?: string } };
		return { status: null, error: cause?.code ?? message };
	}
}
