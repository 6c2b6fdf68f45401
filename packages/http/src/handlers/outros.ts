import type { Engine } from "@reelmill/engine";
import type { Handlers } from "../json/operations.ts";

type Names = "createOutro" | "listOutros" | "getOutro" | "deleteOutro";

export const outroHandlers = ({ outros }: Engine): Pick<Handlers, Names> => ({
	createOutro: ({ principal, input }) => outros.create(principal, input.body),
	listOutros: async ({ principal }) => ({ data: await outros.list(principal), next_cursor: null }),
	getOutro: ({ principal, input }) => outros.get(principal, input.params.slug),
	deleteOutro: async ({ principal, input }) => {
		await outros.delete(principal, input.params.slug);
		return undefined;
	},
});
