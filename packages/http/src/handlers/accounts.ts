import type { Engine } from "@reelmill/engine";
import type { Handlers } from "../json/mount.ts";

export const accountHandlers = ({ accounts }: Engine): Pick<Handlers, "issueServiceToken" | "createServiceAccount"> => ({
	issueServiceToken: ({ input }) => accounts.issueToken(input.body),
	createServiceAccount: ({ input }) => accounts.create(input.body),
});
