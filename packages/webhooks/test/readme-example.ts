import { signatureHeader, signWebhook, verifySignature } from "@reelmill/webhooks";

const secret = "whsec_5f1c0c9e2b7d4a8896e3d1f0a7b2c4e6";
const payload = JSON.stringify({ type: "video.ready" });

// The sender
const header = await signWebhook({ payload, secrets: [secret], timestamp: Math.floor(Date.now() / 1000) });
const request = new Request("https://example.com/hook", {
	method: "POST",
	body: payload,
	headers: { [signatureHeader]: header },
});

// The receiver: throws WebhookVerificationError unless the raw body was signed with the secret in the last 300 s
await verifySignature({ payload: await request.arrayBuffer(), header: request.headers.get(signatureHeader), secret });
