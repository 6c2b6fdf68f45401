import { BadRequestException, Controller, HttpCode, Post, type RawBodyRequest, Req } from "@nestjs/common";
import { verifyWebhook, WebhookVerificationError } from "@reelmill/node";
import type { Request } from "express";

@Controller("hooks/reelmill")
export class ReelmillController {
	@Post()
	@HttpCode(204)
	async take(@Req() { rawBody, headers }: RawBodyRequest<Request>): Promise<void> {
		try {
			const secret = process.env.REELMILL_WEBHOOK_SECRET;
			const event = await verifyWebhook({ payload: rawBody, headers, secret });
			if (event.type === "video.ready") console.log(`Video ${event.data.video.id} is ready.`);
		} catch (error) {
			throw error instanceof WebhookVerificationError ? new BadRequestException(error.message) : error;
		}
	}
}
