import type { Engine } from "@reelmill/engine";
import type { Handlers } from "../json/operations.ts";

export const erasureHandlers = ({ erasures }: Engine): Pick<Handlers, "createErasure"> => ({
	createErasure: ({ principal, input, by }) => erasures.create(principal, input.body, by),
});
