import * as z from "zod";
import { Timestamp } from "./common.ts";
import { videoStates } from "./video.ts";
import { deliveryStatuses } from "./webhook.ts";

const count = z.int().min(0);

/** What the instance holds and does at one moment, over all domains. */
export const Stats = z.object({
	taken_at: Timestamp,
	domains: count,
	videos: z.object(
		Object.fromEntries(videoStates.map((state) => [state, count])) as {
			[S in (typeof videoStates)[number]]: typeof count;
		},
	),
	jobs: z.object({ waiting: count, running: count, oldest_waiting_seconds: z.number().min(0).nullable() }),
	webhook_deliveries: z.object(
		Object.fromEntries(deliveryStatuses.map((status) => [status, count])) as {
			[S in (typeof deliveryStatuses)[number]]: typeof count;
		},
	),
	storage_bytes: count,
	uploaded_bytes_today: count,
	encoded_seconds_today: z.number().min(0),
});
export type Stats = z.infer<typeof Stats>;
