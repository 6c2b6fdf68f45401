import { conforms, webhookTransportCases } from "@reelmill/conformance";
import { createWebhookTransport } from "@reelmill/outbound";
import { describe, it } from "vitest";

async function open() {
	// A busy machine takes a while to answer what is answered at once.
	const timeoutMilliseconds = 4000;
	const guarded = createWebhookTransport({ allow: [], timeoutMilliseconds });
	const allowing = createWebhookTransport({ allow: ["127.0.0.0/8", "::1/128"], timeoutMilliseconds });
	return {
		subject: { guarded, allowing, timeoutMilliseconds },
		async close() {
			await Promise.all([guarded.close(), allowing.close()]);
		},
	};
}

conforms("webhook transport", webhookTransportCases, open, { describe, it });
