import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { askedEventsHeader } from "@reelmill/contracts/events";
import { deliveryIdHeader, signatureHeader, verifySignature } from "@reelmill/webhooks";
import type { History } from "../../history/history.ts";
import type { Random } from "../../plan/random.ts";

/**
 * How a receiver may treat a webhook. All but the last take it: a webhook may be taken although its attempt seems to
 * fail.
 */
const manners = {
	"takes it": (response) => void response.writeHead(204).end(),
	"takes it slowly": async (response) => {
		await sleep(2500);
		response.writeHead(200).end("taken");
	},
	"says 200 and cuts the answer": (response) => {
		response.writeHead(200, { "content-length": "1000" });
		response.write("tak");
		setTimeout(() => response.destroy(), 20);
	},
	"says 500": (response) => void response.writeHead(500).end(),
	"sends it elsewhere": (response) => void response.writeHead(307, { location: "/stolen" }).end(),
	"loses the answer": (response) => void response.destroy(),
	"never answers": () => undefined,
	"answers a byte now and then": (response) => drip(response),
} as const satisfies Record<string, (response: ServerResponse) => unknown>;
const drop = "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\ntaken";
const dripMilliseconds = 700;

/** Sends an answer that doesn't end within the time of an attempt. */
async function drip({ socket }: ServerResponse): Promise<void> {
	for (const character of drop) {
		if (!socket?.writable) return;
		socket.write(character);
		await sleep(dripMilliseconds);
	}
}

type Manner = keyof typeof manners;
/** Returns whether the sender may count the webhook as delivered. */
export const countsAsDelivered = (manner: string): boolean =>
	["takes it", "takes it slowly", "says 200 and cuts the answer"].includes(manner);

const bad: readonly [Manner, ...Manner[]] = [
	"takes it slowly",
	"says 200 and cuts the answer",
	"says 500",
	"says 500",
	"sends it elsewhere",
	"loses the answer",
	"loses the answer",
	"never answers",
];

export type Receiver = {
	/** Returns the address for a tenant's webhooks, with a name of its own. */
	urlOf(tenant: string): string;
	/** Returns an address at which every webhook is taken, so that it shows when webhooks arrive again. */
	plainUrlOf(tenant: string): string;
	readonly secret: string;
	/** Starts or stops answering everything a byte now and then. */
	drip(isDripping: boolean): void;
	/** Takes everything from now on. */
	behave(): void;
	close(): Promise<void>;
};

/** Opens a tenant's webhook endpoint that is slow, lies or loses answers for `shareOfBad` of what it gets. */
export async function openReceiver({
	history,
	random,
	shareOfBad,
}: {
	history: History;
	random: Random;
	shareOfBad: number;
}): Promise<Receiver> {
	const secret = "whsec_0123456789abcdef0123456789abcdef";
	let share = shareOfBad;
	let isDripping = false;
	const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		if (request.url !== "/hook" && request.url !== "/plain") {
			history.add({ kind: "noted", text: `a webhook was sent to ${request.url}` });
			return void response.writeHead(404).end();
		}
		const payload = await buffer(request);
		const genuine = await verifySignature({ payload, header: String(request.headers[signatureHeader]), secret }).then(
			() => true,
			() => false,
		);
		const isBad = request.url === "/hook" && random.chance(share);
		const manner: Manner = isDripping ? "answers a byte now and then" : isBad ? random.pick(bad) : "takes it";
		const { type, data } = JSON.parse(payload.toString()) as {
			type: string;
			data: { video: { id: string; duration_seconds: number | null } };
		};
		const delivery = String(request.headers[deliveryIdHeader]);
		const { id: video, duration_seconds: seconds } = data.video;
		history.add({ kind: "received", delivery, type, video, seconds, genuine, answer: manner });
		response.setHeader(askedEventsHeader, "video.updated");
		await manners[manner](response);
	};
	const server = createServer((request, response) => {
		response.on("error", () => undefined);
		take(request, response).catch(() => response.destroy());
	});
	await once(server.listen(0, "127.0.0.1"), "listening");
	const hostOf = (tenant: string) => `http://${tenant}.faults.test:${(server.address() as AddressInfo).port}`;
	return {
		urlOf: (tenant) => `${hostOf(tenant)}/hook`,
		plainUrlOf: (tenant) => `${hostOf(tenant)}/plain`,
		secret,
		drip(nowDrips) {
			isDripping = nowDrips;
			if (!nowDrips) server.closeAllConnections();
		},
		behave() {
			share = 0;
			isDripping = false;
		},
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
