import type { Engine } from "@reelmill/engine";
import type { Handlers } from "../json/operations.ts";

export const serviceHandlers = ({ version }: Engine): Pick<Handlers, "getHealth"> => ({
	getHealth: async () => ({ status: "ok", version }),
});
