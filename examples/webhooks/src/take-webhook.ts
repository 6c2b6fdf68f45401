import { webhookHandler } from "@reelmill/node/express";
import type { Request, Response } from "express";

const take = webhookHandler({
	secret: () => process.env.REELMILL_WEBHOOK_SECRET,
	onEvent({ type, data }) {
		if (type === "video.ready") console.log(`Video ${data.video.id} is ready.`);
	},
});

export function takeWebhook(request: Request, response: Response): void {
	// What onEvent throws ends here. The service sends the event again.
	take(request, response, (error) => {
		console.error(error);
		response.sendStatus(500);
	});
}
