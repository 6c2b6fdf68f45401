import type { Engine } from "@reelmill/engine";
import type { Handlers } from "../json/operations.ts";

type Names = "createImport" | "listImports" | "getImport" | "cancelImport";

export const importHandlers = ({ imports }: Engine): Pick<Handlers, Names> => ({
	createImport: ({ principal, input: { body, headers }, by, request: { requestId } }) =>
		imports.create(principal, body, by, { idempotencyKey: headers["Idempotency-Key"], requestId }),
	listImports: ({ principal, input }) => imports.list(principal, input.query),
	getImport: ({ principal, input }) => imports.get(principal, input.params.id),
	cancelImport: async ({ principal, input, by }) => {
		await imports.cancel(principal, input.params.id, by);
		return undefined;
	},
});
