import type { DeliveryType, WebhookDelivery } from "@reelmill/node";
import { type Command, Option } from "commander";
import { state, time } from "../cells.ts";
import { moment } from "../options.ts";
import type { Io } from "../printing.ts";
import { sessionOf } from "../session.ts";
import type { Columns } from "../table.ts";
import { addListen } from "./listen.ts";
import { showsList } from "./shows-list.ts";
import { addTrigger, deliveryTypes } from "./trigger.ts";

const columns: Columns<WebhookDelivery> = [
	["ID", ({ id }) => id],
	["EVENT", ({ type }) => type],
	["VIDEO", ({ video_id }) => video_id, "if there is room"],
	["STATUS", ({ status }) => state(status)],
	["ATTEMPTS", ({ attempt_count }) => attempt_count, "if there is room"],
	["LAST ANSWER", ({ attempts }) => attempts.at(-1)?.error ?? attempts.at(-1)?.response_status],
	["CREATED", ({ created_at }) => time(created_at)],
];

type ListOptions = {
	status?: WebhookDelivery["status"];
	type?: DeliveryType;
	video?: string;
};

export function addWebhooks(parent: Command, io: Io): void {
	const webhooks = parent.command("webhooks").description("the log of webhook deliveries, and events on this machine");
	const list = webhooks
		.command("list")
		.description("list the deliveries, newest first")
		.addOption(
			new Option("--status <status>", "only those of this status; failed means that all attempts failed").choices([
				"pending",
				"failed",
				"delivered",
			]),
		)
		.addOption(new Option("--type <type>", "only events of this type").choices(deliveryTypes))
		.option("--video <id>", "only those that tell of this video");
	showsList(
		list,
		io,
		(session, asked, { status, type, video }: ListOptions) =>
			session.reelmill().webhookDeliveries.list({
				...asked,
				...(status && { status }),
				...(type && { type }),
				...(video && { videoId: video }),
			}),
		columns,
	);
	webhooks
		.command("show")
		.description("show a delivery: its body, and the request and the answer of each attempt")
		.argument("<id>")
		.action(async (id: string, _options: object, command: Command) => {
			const session = sessionOf(io, command);
			session.print(await session.reelmill().webhookDeliveries.get(id, { signal: io.signal }));
		});
	webhooks
		.command("test")
		.description("send one test event to the domain's webhook_url")
		.action(async (_options: object, command: Command) => {
			const session = sessionOf(io, command);
			const sent = await session.reelmill().webhookDeliveries.sendTest({ signal: io.signal });
			session.print(sent, ({ id, url }) => `Delivery ${id} is sent to ${url}: reelmill webhooks show ${id}`);
		});
	webhooks
		.command("replay")
		.description("send a delivery again")
		.argument("<id>")
		.action(async (id: string, _options: object, command: Command) => {
			const session = sessionOf(io, command);
			session.print(
				await session.reelmill().webhookDeliveries.replay(id, { signal: io.signal }),
				() => `Delivery ${id} is sent again.`,
			);
		});
	webhooks
		.command("replay-failed")
		.description("send every failed delivery since a time again, at most 10,000")
		.addOption(
			new Option("--since <time>", "for example 2h, 7d or 2026-01-31T12:00:00Z")
				.argParser(moment)
				.makeOptionMandatory(),
		)
		.option("--dry-run", "only count them")
		.action(async ({ since, dryRun }: { since: Date; dryRun?: boolean }, command: Command) => {
			const session = sessionOf(io, command);
			const { webhookDeliveries } = session.reelmill();
			const answer = await webhookDeliveries.replayFailed({ since, dryRun: dryRun ?? false, signal: io.signal });
			session.print(
				answer,
				({ replayed, more }) =>
					`${replayed} deliveries ${dryRun ? "would be" : "are"} sent again${more ? ". There are more: repeat the command" : ""}.`,
			);
		});
	webhooks
		.command("rotate-secret")
		.description("create a new webhook secret and show it, only here; for an hour deliveries carry both signatures")
		.action(async (_options: object, command: Command) => {
			const session = sessionOf(io, command);
			session.print(await session.reelmill().domain.rotateWebhookSecret({ signal: io.signal }));
		});
	addListen(webhooks, io);
	addTrigger(webhooks, io);
}
