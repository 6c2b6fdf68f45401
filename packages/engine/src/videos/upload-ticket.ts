import type { UploadTicket } from "@reelmill/contracts";
import type { TokenFamily } from "../secrets/index.ts";
import type { VideoRecord } from "./record.ts";

/** The claims of an upload token: the one asset that may be uploaded with it. */
export type UploadClaims = {
	readonly sub: string;
	readonly domain: string;
	/** The trace of the request that made the asset, if it was traced: the upload continues it. */
	readonly trace?: string;
};

/** Makes the ticket of a pending upload. */
export type MakeTicket = (record: VideoRecord) => Promise<UploadTicket>;

/**
 * Creates the tickets. A token begins with its asset: made anew for the same asset it is the same text, unless the
 * master key changed meanwhile.
 */
export function createTickets(options: {
	readonly uploadTokens: TokenFamily<UploadClaims>;
	readonly baseUrl: string;
}): MakeTicket {
	return async ({ id, domain_id, traceparent, created_at, expires_at }) => {
		const { token } = await options.uploadTokens.sign(
			{ sub: id, domain: domain_id, ...(traceparent !== null && { trace: traceparent }) },
			wholeSecondsUntil(expires_at, created_at),
			created_at.getTime(),
		);
		return {
			protocol: "tus",
			endpoint: `${options.baseUrl}/uploads`,
			token,
			token_type: "Bearer",
			expires_at: expires_at.toISOString(),
			metadata: { video_id: id },
		};
	};
}

/** A token's life begins with the whole second: this many seconds last until the moment. */
const wholeSecondsUntil = (moment: Date, begin: Date): number =>
	Math.ceil(moment.getTime() / 1000) - Math.floor(begin.getTime() / 1000);
