export { SettingsError, StartError } from "@reelmill/settings";
export {
	createReelmillServer,
	type ReelmillServer,
	type ReelmillServerOptions,
} from "./create-server.ts";
export type { FirstTenant } from "./data-directory/first-tenant.ts";
export type { ConsoleEntrance } from "./start/console.ts";
export type { StartedServer } from "./start/start-answering.ts";
