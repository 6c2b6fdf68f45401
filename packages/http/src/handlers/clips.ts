import type { Engine } from "@reelmill/engine";
import type { Handlers } from "../json/operations.ts";

export const clipHandlers = ({ clips }: Engine): Pick<Handlers, "createClip" | "listClips"> => ({
	createClip: ({ principal, input: { params, body, headers }, by, request: { requestId } }) =>
		clips.create(principal, params.id, body, by, { idempotencyKey: headers["Idempotency-Key"], requestId }),
	listClips: ({ principal, input }) => clips.list(principal, input.params.id, input.query),
});
