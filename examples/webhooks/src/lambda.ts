import { verifyWebhook, WebhookVerificationError } from "@reelmill/node";
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from "aws-lambda";

type Answer = Promise<APIGatewayProxyStructuredResultV2>;

export async function handler({ body = "", isBase64Encoded, headers }: APIGatewayProxyEventV2): Answer {
	const payload = Buffer.from(body, isBase64Encoded ? "base64" : "utf8");
	try {
		const event = await verifyWebhook({ payload, headers, secret: process.env.REELMILL_WEBHOOK_SECRET });
		if (event.type === "video.ready") console.log(`Video ${event.data.video.id} is ready.`);
		return { statusCode: 204 };
	} catch (error) {
		if (!(error instanceof WebhookVerificationError)) throw error;
		return { statusCode: 400, body: error.message };
	}
}
