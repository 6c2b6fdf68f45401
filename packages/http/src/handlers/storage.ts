import type { Engine } from "@reelmill/engine";
import type { Handlers } from "../json/mount.ts";

type Names = "listStorageLocations" | "getStorage" | "putStorage" | "deleteStorage" | "verifyStorage";

export const storageHandlers = ({ storage }: Engine): Pick<Handlers, Names> => ({
	listStorageLocations: () => storage.locations(),
	getStorage: () => storage.get(),
	putStorage: ({ input }) => storage.put(input.body),
	deleteStorage: () => storage.delete(),
	verifyStorage: ({ input }) => storage.verify(input.body),
});
