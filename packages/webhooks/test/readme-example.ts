import { signatureHeader, signWebhook, verifySignature } from "@reelmill/webhooks";

const secret = "whsec_bm9ib2R5cyBzZWNyZXQ";
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
