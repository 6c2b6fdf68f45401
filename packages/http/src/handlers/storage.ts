import type { Engine } from "@reelmill/engine";
import type { Handlers } from "../json/operations.ts";

type Names = "listStorageLocations" | "getStorage" | "putStorage" | "deleteStorage" | "verifyStorage";

export const storageHandlers = ({ storage }: Engine): Pick<Handlers, Names> => ({
	listStorageLocations: () => storage.locations(),
	getStorage: ({ principal }) => storage.get(principal.domainId),
	putStorage: ({ principal, input }) => storage.put(principal.domainId, input.body),
	deleteStorage: ({ principal }) => storage.delete(principal.domainId),
	verifyStorage: ({ principal, input }) => storage.verify(principal.domainId, input.body),
});
