import type { Engine } from "@reelmill/engine";
import type { Handlers } from "../json/operations.ts";

type Names = "listCaptions" | "getVideoCaptions" | "putCaptions" | "deleteCaptions";

export const captionHandlers = ({ captions }: Engine): Pick<Handlers, Names> => ({
	listCaptions: ({ principal, input }) => captions.list(principal, input.params.id),
	getVideoCaptions: ({ principal, input: { params } }) => captions.get(principal, params.id, params.language),
	putCaptions: ({ principal, input: { params, query, body }, by }) =>
		captions.put(principal, params.id, { ...query, language: params.language, text: body }, by),
	deleteCaptions: async ({ principal, input: { params }, by }) => {
		await captions.delete(principal, params.id, params.language, by);
		return undefined;
	},
});
