import { createReelmill } from "@reelmill/node";

/** Calls the service. The domain's key stays in this server. */
export const reelmill = createReelmill({
	baseUrl: process.env.REELMILL_URL,
	apiKey: process.env.REELMILL_API_KEY,
});
