import type { Handlers } from "../json/operations.ts";

export const serviceHandlers = (version: string) =>
	({ getHealth: async () => ({ status: "ok", version }) }) satisfies Pick<Handlers, "getHealth">;
