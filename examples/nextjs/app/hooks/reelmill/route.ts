import { webhookHandler } from "@reelmill/node/next";
import { revalidateTag } from "next/cache";
import { listOf } from "../../../lib/videos";

/** Takes events that the service signed. A video that is ready or failed ends the list that its uploader was shown. */
export const POST = webhookHandler({
	secret: process.env.REELMILL_WEBHOOK_SECRET,
	onEvent(event) {
		if (event.type !== "video.ready" && event.type !== "video.failed") return;
		const { uploader_ref: ref } = event.data.video;
		if (ref !== null) revalidateTag(listOf(ref), { expire: 0 });
	},
});
