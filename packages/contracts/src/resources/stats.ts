import * as z from "zod";
import { Timestamp } from "./common.ts";
import { videoStates } from "./video.ts";
import { deliveryStatuses } from "./webhook.ts";

const count = z.int().min(0);

/** What the instance holds and does at one moment, over all domains. */
export const Stats = z.object({
	taken_at: Timestamp.meta({ description: "When this was counted." }),
	domains: count.meta({ description: "Domains, that of the sandbox included." }),
	videos: z
		.object(
			Object.fromEntries(
				videoStates.map((state) => [state, count.meta({ description: `Videos in the state \`${state}\`.` })]),
			) as {
				[S in (typeof videoStates)[number]]: typeof count;
			},
		)
		.meta({ description: "Videos by state." }),
	jobs: z
		.object({
			waiting: count.meta({ description: "Jobs that no worker has." }),
			running: count.meta({ description: "Jobs that a worker has." }),
			oldest_waiting_seconds: z
				.number()
				.min(0)
				.nullable()
				.meta({ description: "Seconds for which the oldest job has waited; null if none waits." }),
		})
		.meta({ description: "The queue." }),
	webhook_deliveries: z
		.object(
			Object.fromEntries(
				deliveryStatuses.map((status) => [status, count.meta({ description: `Deliveries that are \`${status}\`.` })]),
			) as {
				[S in (typeof deliveryStatuses)[number]]: typeof count;
			},
		)
		.meta({ description: "Webhook deliveries in the log, by status." }),
	storage_bytes: count.meta({ description: "Bytes that are stored, of all domains." }),
	uploaded_bytes_today: count.meta({ description: "Bytes of the uploads that ended this UTC day." }),
	encoded_seconds_today: z
		.number()
		.min(0)
		.meta({ description: "Seconds of sources that became available this UTC day." }),
});
export type Stats = z.infer<typeof Stats>;
