import { createWebhookTransport } from "@reelmill/outbound";

// Public addresses, and what the operator allows beside them.
const transport = createWebhookTransport({ allow: ["10.20.0.0/16"] });

// A sentence that says why; null for a URL that may be stored.
const refusal = transport.refusal("http://169.254.169.254/latest/meta-data");
const body = new TextEncoder().encode(JSON.stringify({ type: "video.ready" }));
const result = await transport.send({
	url: "http://0x7f.1:5432/",
	headers: { "content-type": "application/json" },
	body,
});

if (refusal === null || result.error !== "blocked_address") throw new Error("reached what it must not");
await transport.close();
