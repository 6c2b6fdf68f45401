import type { Engine } from "@reelmill/engine";
import type { Handlers } from "../json/operations.ts";

type Names = "getVideoPoster" | "putPoster" | "deletePoster";

export const posterHandlers = ({ posters }: Engine): Pick<Handlers, Names> => ({
	getVideoPoster: ({ principal, input }) => posters.get(principal, input.params.id),
	putPoster: ({ principal, input: { params, body }, by }) => posters.put(principal, params.id, body, by),
	deletePoster: async ({ principal, input, by }) => {
		await posters.delete(principal, input.params.id, by);
		return undefined;
	},
});
