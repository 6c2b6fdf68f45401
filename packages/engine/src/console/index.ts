export type { ConsoleAccounts } from "./accounts.ts";
export { type Console, type ConsoleNoun, createConsole } from "./console.ts";
export type { ConsolePrincipal, SessionClaims, SignedIn } from "./sessions.ts";
