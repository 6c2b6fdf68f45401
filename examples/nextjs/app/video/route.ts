import { uploadRoutes } from "@reelmill/node/next";
import { reelmill } from "../../lib/reelmill";
import { currentPerson } from "../../lib/session";

/** What the uploader and the player of the page ask: uploads, videos and keys, for who is signed in. */
export const { POST, OPTIONS } = uploadRoutes({
	reelmill,
	authorize: currentPerson,
	describe: ({ about }) =>
		typeof about === "string" ? { external_ref: about.slice(0, 200), visibility: "private" } : null,
});
