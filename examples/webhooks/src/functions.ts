import { http, type Request, type Response } from "@google-cloud/functions-framework";
import { webhookHandler } from "@reelmill/node/express";

const take = webhookHandler({
	secret: () => process.env.REELMILL_WEBHOOK_SECRET,
	onEvent({ type, data }) {
		if (type === "video.ready") console.log(`Video ${data.video.id} is ready.`);
	},
});

/** Answers a request. What `onEvent` throws is logged, and answered with 500, so that the event comes again. */
export function takeWebhook(request: Request, response: Response): void {
	take(request, response, (error) => {
		console.error(error);
		response.sendStatus(500);
	});
}

http("reelmill", takeWebhook);
