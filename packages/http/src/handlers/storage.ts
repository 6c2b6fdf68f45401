import type { Engine } from "@reelmill/engine";
import type { Handlers } from "../json/operations.ts";

type Names =
	| "listStorageLocations"
	| "getStorage"
	| "listStoragePlaces"
	| "putStorage"
	| "deleteStorage"
	| "verifyStorage";

export const storageHandlers = ({ storage }: Engine): Pick<Handlers, Names> => ({
	listStorageLocations: () => storage.locations(),
	getStorage: ({ principal }) => storage.get(principal.domainId),
	listStoragePlaces: ({ principal }) => storage.places(principal.domainId),
	putStorage: ({ principal, input, by }) => storage.put(principal.domainId, input.body, by),
	deleteStorage: ({ principal, by }) => storage.delete(principal.domainId, by),
	verifyStorage: ({ principal, input }) => storage.verify(principal.domainId, input.body),
});
