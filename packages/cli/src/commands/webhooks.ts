import type { WebhookDelivery } from "@reelmill/node";
import { type Command, Option } from "commander";
import type { CliIo } from "../io.ts";
import { allOption, limitOption, pageSizeFor, shownAtMost } from "../options.ts";
import { sessionOf } from "../session.ts";
import type { Columns } from "../text.ts";
import { addListen } from "./listen.ts";

const columns: Columns<WebhookDelivery> = [
	["ID", ({ id }) => id],
	["EVENT", ({ type }) => type],
	["VIDEO", ({ video_id }) => video_id],
	["STATUS", ({ status }) => status],
	["ATTEMPTS", ({ attempt_count }) => attempt_count],
	["LAST ANSWER", ({ attempts }) => attempts.at(-1)?.error ?? attempts.at(-1)?.response_status],
	["CREATED", ({ created_at }) => created_at],
];

type ListOptions = { limit: number; all?: boolean; status?: WebhookDelivery["status"] };

export function addWebhooks(parent: Command, io: CliIo): void {
	const webhooks = parent.command("webhooks").description("the log of webhook deliveries");
	webhooks
		.command("list")
		.description("list the deliveries, newest first")
		.addOption(
			new Option("--status <status>", "only those of this status; failed means given up").choices([
				"pending",
				"failed",
				"delivered",
			]),
		)
		.addOption(limitOption())
		.addOption(allOption())
		.action(async (options: ListOptions, command: Command) => {
			const session = sessionOf(io, command);
			const shown = shownAtMost(options);
			const filter = options.status ? { status: options.status } : {};
			await session.table(
				session.reelmill().webhookDeliveries.list({ pageSize: pageSizeFor(shown), signal: io.signal, ...filter }),
				columns,
				shown,
			);
		});
	webhooks
		.command("replay")
		.description("have a delivery sent once more")
		.argument("<id>")
		.action(async (id: string, _options: object, command: Command) => {
			const session = sessionOf(io, command);
			session.print(
				await session.reelmill().webhookDeliveries.replay(id, { signal: io.signal }),
				() => `Delivery ${id} is sent once more.`,
			);
		});
	webhooks
		.command("rotate-secret")
		.description("mint a new webhook secret, shown this once; for an hour deliveries carry both signatures")
		.action(async (_options: object, command: Command) => {
			const session = sessionOf(io, command);
			session.print(await session.reelmill().domain.rotateWebhookSecret({ signal: io.signal }));
		});
	addListen(webhooks, io);
}
