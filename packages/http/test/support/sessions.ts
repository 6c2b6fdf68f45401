import { createServer, type Server } from "node:http";
import { consoleCookie, ReelmillError } from "@reelmill/contracts";
import type { Engine } from "@reelmill/engine";
import { createNodeListener } from "@reelmill/http";
import type { ConsolePrincipal } from "../../src/admission/sessions.ts";
import { listen, type Service } from "./open-service.ts";
import { type Answer, type Sent, send } from "./send.ts";

type Account = Pick<ConsolePrincipal, "role" | "domainIds">;
export type Sessions = {
	send(request: Sent): Promise<Answer>;
	/** Signs a new account in, and returns the headers of its requests, without a domain. */
	signIn(account: Account): { cookie: string; "x-service-console": string };
	/** How often a session was looked up. */
	lookUps(): number;
	disableAll(): void;
	close(): void;
};

/** Serves the service's engine with console sessions. */
export async function openSessions(service: Service): Promise<Sessions> {
	const known = new Map<string, ConsolePrincipal>();
	let lookUps = 0;
	let disabled = false;
	const authenticate = async (token: string): Promise<ConsolePrincipal> => {
		lookUps++;
		const principal = known.get(token);
		if (principal === undefined) throw new ReelmillError("unauthorized");
		if (disabled) throw new ReelmillError("account_disabled");
		return principal;
	};
	const engine = { ...service.engine, console: { authenticate } } as Engine;
	const server: Server = createServer(createNodeListener(engine, service.options));
	const url = await listen(server);
	return {
		send: (request) => send(url, request),
		signIn(account) {
			const token = `token-${known.size}`;
			const ids = { sessionId: `session-${known.size}`, accountId: `account-${known.size}` };
			known.set(token, { kind: "console", label: "person@example.com", ...ids, ...account });
			return { cookie: `other=1; ${consoleCookie}=${token}`, "x-service-console": "1" };
		},
		lookUps: () => lookUps,
		disableAll() {
			disabled = true;
		},
		close() {
			server.closeAllConnections();
			server.close();
		},
	};
}
