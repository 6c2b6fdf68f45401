import type { Engine } from "@reelmill/engine";
import type { Handlers } from "../json/operations.ts";

type Names = "getVideoChapters" | "putChapters" | "deleteChapters";

export const chapterHandlers = ({ chapters }: Engine): Pick<Handlers, Names> => ({
	getVideoChapters: ({ principal, input }) => chapters.get(principal, input.params.id),
	putChapters: ({ principal, input: { params, body }, by }) => chapters.put(principal, params.id, body.chapters, by),
	deleteChapters: async ({ principal, input, by }) => {
		await chapters.delete(principal, input.params.id, by);
		return undefined;
	},
});
