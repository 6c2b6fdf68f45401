import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { identityProviderOf } from "../../src/start/identity-provider.ts";
import { refusalOf } from "../support/open-server.ts";

const issuer = { REELMILL_OIDC_ISSUER: "https://login.acme.test" };
const client = { REELMILL_OIDC_CLIENT_ID: "reelmill" };
const secret = { REELMILL_OIDC_CLIENT_SECRET: "secret-of-the-client" };
const provider = (environment: Record<string, string>) => identityProviderOf(readConfig(environment));

describe("the identity provider", () => {
	it("is made of its settings, with or without a secret, and none without them", () => {
		expect(provider({})).toBeUndefined();
		expect(provider({ ...issuer, ...client })).toEqual({ issuer: "https://login.acme.test", clientId: "reelmill" });
		expect(provider({ ...issuer, ...client, ...secret })).toMatchObject({ clientSecret: "secret-of-the-client" });
	});

	it("refuses the start if one of its settings is missing, and names it", () => {
		const missing = (name: string) => new RegExp(`REELMILL_OIDC_${name} is not`);
		expect(() => provider(issuer)).toThrow(missing("CLIENT_ID"));
		expect(() => provider({ ...issuer, ...secret })).toThrow(missing("CLIENT_ID"));
		expect(() => provider(client)).toThrow(missing("ISSUER"));
		expect(() => provider(secret)).toThrow(missing("ISSUER"));
	});

	it("refuses the start if the issuer is no https address", async () => {
		const settings = { OIDC_ISSUER: "http://login.acme.test", OIDC_CLIENT_ID: "reelmill" };
		expect(await refusalOf("/nowhere", "postgres://127.0.0.1:1/x", settings)).toContain(
			"REELMILL_OIDC_ISSUER: http://login.acme.test is no https address",
		);
	});

	it("goes with its admins and the lengths of sessions", () => {
		const config = readConfig({
			REELMILL_CONSOLE_ADMINS: "ada@acme.test, grace@acme.test",
			REELMILL_CONSOLE_IDLE_SECONDS: "600",
			REELMILL_CONSOLE_SESSION_SECONDS: "3600",
		});
		expect(config).toMatchObject({
			CONSOLE_ADMINS: ["ada@acme.test", "grace@acme.test"],
			CONSOLE_IDLE_SECONDS: 600,
			CONSOLE_SESSION_SECONDS: 3600,
		});
		expect(readConfig({})).toMatchObject({ CONSOLE_IDLE_SECONDS: 43_200, CONSOLE_SESSION_SECONDS: 604_800 });
	});
});
