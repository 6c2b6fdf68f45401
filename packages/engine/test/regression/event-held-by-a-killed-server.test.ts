import { createEngine, type WebhookResult } from "@reelmill/engine";
import { expect, it } from "vitest";
import { clip, createReceiver, openEngine } from "../support/open-engine.ts";

it("sends a webhook 20 s after the server that was sending it was killed, not a minute after", async () => {
	const silence = Promise.withResolvers<WebhookResult>();
	const sending = Promise.withResolvers<void>();
	const killed = {
		...createReceiver(),
		send: () => {
			sending.resolve();
			return silence.promise;
		},
	};
	const opened = await openEngine({ webhookTransport: killed });
	const receiver = createReceiver();
	const other = createEngine({ ...opened.options, webhookTransport: receiver });
	try {
		const { domain, principal } = await opened.tenant();
		await opened.engine.domains.updateConfig(domain.id, {
			webhook_url: "https://tenant.example/hook",
			webhook_secret: "whsec_test_secret",
		});
		const { video } = await opened.engine.videos.create(principal, clip);
		await opened.engine.videos.cancel(principal, video.id);
		void opened.engine.sweep();
		await sending.promise;

		await opened.clock.advance(19_000);
		await other.sweep();
		expect(receiver.requests).toHaveLength(0);
		await opened.clock.advance(1_000);
		await other.sweep();
		expect(receiver.requests).toHaveLength(1);
	} finally {
		silence.resolve({ status: null, error: "killed" });
		await other.stop();
		await opened.close();
	}
});
