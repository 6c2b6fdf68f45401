import type { Engine } from "@reelmill/engine";
import type { Handlers } from "../json/operations.ts";

export const sandboxHandlers = ({ sandbox }: Engine): Pick<Handlers, "createSandboxSession"> => ({
	createSandboxSession: () => sandbox.createSession(),
});
