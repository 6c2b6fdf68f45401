import type { WebhookRequest, WebhookTransport } from "@reelmill/engine";
import { createWebhookTransport } from "@reelmill/outbound";
import { signatureHeader, signWebhook } from "@reelmill/webhooks";
import type { HandledAnswer, HandledRequest } from "./messages.ts";
import type { Secrets } from "./note-secrets.ts";

/** Where events go if the test's own function takes them. No name server knows it. */
export const handlerUrl = "http://webhooks.test/";

export type TestTransportOptions = {
	/** The test's function; null if there is none. */
	readonly handle: ((request: HandledRequest) => Promise<HandledAnswer>) | null;
	readonly secrets: Secrets;
};

const toldBytes = 2048;
/** What a test's service reaches beside public addresses: the test's own servers. */
export const ownNetwork = ["127.0.0.0/8", "::1/128", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"];

/**
 * Sends webhooks to the test's function, or to an address of this machine or elsewhere. It signs them anew, by the
 * machine's clock: a verifier in the test would refuse the signatures of a clock that was moved ahead.
 */
export function createTestTransport({ handle, secrets }: TestTransportOptions): WebhookTransport {
	const network = createWebhookTransport({ allow: ownNetwork });

	const resigned = async (request: WebhookRequest): Promise<WebhookRequest> => {
		const { domain_id: domainId } = JSON.parse(new TextDecoder().decode(request.body)) as { domain_id: string };
		const known = secrets.get(domainId);
		if (known === undefined) return request;
		const timestamp = Math.floor(Date.now() / 1000);
		const signature = await signWebhook({ payload: request.body, secrets: known, timestamp });
		return { ...request, headers: { ...request.headers, [signatureHeader]: signature } };
	};
	const handled = async (
		ask: (request: HandledRequest) => Promise<HandledAnswer>,
		{ url, headers, body, onAnswer }: WebhookRequest,
	) => {
		const answer = await ask({ url, headers, body });
		onAnswer?.({
			headers: answer.headers,
			body: answer.body.subarray(0, toldBytes),
			isTruncated: answer.body.length > toldBytes,
		});
		const { status } = answer;
		return { status, error: status >= 200 && status <= 299 ? null : `status_${status}` } as const;
	};
	return {
		async send(request, signal) {
			const signed = await resigned(request);
			if (handle === null || request.url !== handlerUrl) return network.send(signed, signal);
			return handled(handle, signed).catch(() => ({ status: null, error: "connection_failed" }));
		},
		prepare: async (url) => (url === handlerUrl ? undefined : network.prepare?.(url)),
		refusal: (url) => (url === handlerUrl ? null : network.refusal(url)),
		close: () => network.close(),
	};
}
