import type { Engine } from "@reelmill/engine";
import type { Handlers } from "../json/operations.ts";

type Names = "createOutro" | "listOutros" | "getOutro" | "getOutroPreview" | "deleteOutro";

export const outroHandlers = ({ outros }: Engine): Pick<Handlers, Names> => ({
	createOutro: ({ principal, input: { body, headers }, by }) =>
		outros.create(principal, body, by, { idempotencyKey: headers["Idempotency-Key"] }),
	listOutros: async ({ principal }) => ({ data: await outros.list(principal), next_cursor: null }),
	getOutro: ({ principal, input }) => outros.get(principal, input.params.slug),
	getOutroPreview: ({ principal, input }) => outros.preview(principal, input.params.slug),
	deleteOutro: async ({ principal, input, by }) => {
		await outros.delete(principal, input.params.slug, by);
		return undefined;
	},
});
