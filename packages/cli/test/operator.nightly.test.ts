import type {
	AuditEntry,
	ConsoleAccount,
	CreatedDomain,
	CreatedServiceAccount,
	Domain,
	KeyRotation,
	RotatedServiceAccount,
	ServiceAccount,
	Stats,
} from "@reelmill/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { adminKey, claimed, openService, type Service } from "../../http/test/support/open-service.ts";
import { documents, reelmill, reelmillJson } from "./support/reelmill.ts";

let service: Service;
let environment: Record<string, string> = {};
beforeAll(async () => {
	service = await openService({}, () => ({ consoleAdmins: ["ada@acme.test"], windows: { keepFailed: 3600 } }));
	environment = { REELMILL_URL: service.url, REELMILL_ADMIN_KEY: adminKey };
});
afterAll(() => service.close());

describe("console accounts", () => {
	it("are listed, disabled, enabled, and given a role and domains", async () => {
		const signIn = async (subject: string, emailVerified: boolean) => {
			const identity = { issuer: "https://login.acme.test", subject, email: `${subject}@acme.test`, emailVerified };
			return (await service.engine.console.signInAs(identity)).session.account.id;
		};
		const [ada, eve] = [await signIn("ada", true), await signIn("eve", false)];
		const list = await reelmill(environment, "accounts", "list");
		expect(list.stdout).toMatch(/^ID +ACCOUNT +ROLE +DOMAINS +LAST SIGN-IN +DISABLED\n/);
		expect(list.stdout).toMatch(new RegExp(`${ada} +ada@acme\\.test +admin +all `));
		expect(list.stdout).toMatch(new RegExp(`${eve} +eve +member +0 `));
		const change = (...words: string[]) => reelmillJson<ConsoleAccount>(environment, "accounts", ...words);
		const { domain } = await service.tenant();
		expect(await change("domains", eve, domain.id)).toMatchObject({ id: eve, domain_ids: [domain.id] });
		expect(await change("domains", eve)).toMatchObject({ domain_ids: [] });
		expect(await change("disable", eve)).toMatchObject({ disabled_at: expect.any(String) });
		expect(await change("enable", eve)).toMatchObject({ disabled_at: null });
		for (const words of [
			["disable", ada],
			["role", ada, "member"],
			["role", eve, "admin"],
		]) {
			const refused = await reelmill(environment, "accounts", ...words);
			expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("invalid_state")]);
		}
		expect(await change("role", ada, "admin")).toMatchObject({ role: "admin" });
		expect((await reelmill(environment, "accounts", "role", ada, "owner")).code).toBe(2);
		const unknown = "00000000-0000-4000-8000-000000000000";
		expect((await reelmill(environment, "accounts", "disable", unknown)).stderr).toContain("not_found");
	});
});

describe("the audit log", () => {
	it("is shown over all domains and narrowed, and to a tenant of its own domain", async () => {
		const { domain, api_key } = await reelmillJson<CreatedDomain>(environment, "domains", "create", "watched");
		await reelmillJson(environment, "domains", "create", "unwatched");
		const tenant = { ...environment, REELMILL_API_KEY: api_key };
		await service.clock.advance(1000);
		await reelmill(tenant, "config", "set", "transcript=true");
		const listed = async (as: Record<string, string>, ...args: string[]) =>
			documents<AuditEntry>((await reelmill(as, "audit", "--json", ...args)).stdout).map(({ action }) => action);
		expect(await listed(environment, "--domain", domain.id)).toEqual(["domain.config_updated", "domain.created"]);
		expect(await listed(environment, "--limit", "1")).toEqual(["domain.config_updated"]);
		expect(await listed(environment, "--resource", domain.id, "--action", "domain.created")).toEqual([
			"domain.created",
		]);
		expect(await listed(tenant, "--own", "--actor", `...${api_key.slice(-4)}`)).toEqual(["domain.config_updated"]);
		const { stdout } = await reelmill(tenant, "audit", "--own");
		expect(stdout).toMatch(/^WHEN +BY +FROM +ACTION +OF +CHANGED +REQUEST\n/);
		expect(stdout).toMatch(/operator +- +domain\.created +watched +- +-\n/);
		expect((await reelmill(environment, "audit", "--own", "--domain", domain.id)).code).toBe(2);
	});
});

describe("domains", () => {
	it("are created, listed, shown, changed, given a new key and deleted", async () => {
		const { domain, api_key } = await reelmillJson<CreatedDomain>(
			environment,
			"domains",
			"create",
			"acme",
			"--storage-bytes",
			"1000",
		);
		expect(domain).toMatchObject({ slug: "acme", limits: { storage_bytes_limit: 1000 } });
		const tenant = { ...environment, REELMILL_API_KEY: api_key };
		expect((await reelmill(tenant, "limits")).code).toBe(0);

		const list = await reelmill(environment, "domains", "list", "--json");
		expect(documents<Domain>(list.stdout).map(({ slug }) => slug)).toContain("acme");
		expect((await reelmill(environment, "domains", "list")).stdout).toMatch(
			/^ID +SLUG +KEY +UPLOADS A DAY +STORAGE +CREATED\n/,
		);
		expect(await reelmillJson(environment, "domains", "show", domain.id)).toEqual(domain);

		const changed = await reelmillJson<Domain>(
			environment,
			"domains",
			"update",
			domain.id,
			"--slug",
			"acme-two",
			"--concurrent-processing",
			"7",
		);
		expect(changed).toMatchObject({
			slug: "acme-two",
			limits: { storage_bytes_limit: 1000, max_concurrent_processing: 7 },
		});
		const rotated = await reelmillJson<KeyRotation>(environment, "domains", "rotate-key", domain.id);
		expect((await reelmill({ ...tenant, REELMILL_API_KEY: rotated.api_key }, "limits")).code).toBe(0);
		const ended = await reelmillJson<KeyRotation>(
			environment,
			"domains",
			"rotate-key",
			domain.id,
			"--grace-seconds",
			"0",
		);
		expect(Date.parse(ended.previous_key_expires_at)).toBe(service.clock.now());
		expect((await reelmill({ ...tenant, REELMILL_API_KEY: rotated.api_key }, "limits")).stderr).toContain(
			"(unauthorized)",
		);

		expect(await reelmillJson(environment, "domains", "transcripts", domain.id)).toEqual({ requested: 0 });
		expect((await reelmill(environment, "domains", "transcripts", domain.id)).stdout).toBe(
			"No transcript of this domain is unavailable.\n",
		);

		expect(await reelmill(environment, "domains", "delete", domain.id)).toMatchObject({ code: 2, stdout: "" });
		expect(await reelmillJson(environment, "domains", "delete", domain.id, "--yes")).toEqual({
			id: domain.id,
			deleted: true,
		});
		expect((await reelmill(environment, "domains", "show", domain.id)).stderr).toContain("(domain_not_found)");
	});

	it("are refused to a tenant's key", async () => {
		const { apiKey } = await service.tenant();
		expect(await reelmill({ ...environment, REELMILL_ADMIN_KEY: apiKey }, "domains", "list")).toMatchObject({
			code: 1,
			stdout: "",
		});
	});
});

describe("service accounts", () => {
	it("are created, listed, rotated and revoked", async () => {
		const { service_account, secret } = await reelmillJson<CreatedServiceAccount>(
			environment,
			"service-accounts",
			"create",
			"worker-1",
		);
		expect(service_account).toMatchObject({ name: "worker-1", revoked_at: null });
		const again = await reelmill(environment, "service-accounts", "create", "worker-1");
		expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("(name_already_exists)") });
		const rotated = await reelmillJson<RotatedServiceAccount>(
			environment,
			"service-accounts",
			"rotate",
			service_account.id,
		);
		expect(rotated.secret).not.toBe(secret);
		const revoked = await reelmill(environment, "service-accounts", "revoke", service_account.id);
		expect(revoked).toEqual({ code: 0, stdout: `Service account ${service_account.id} is revoked.\n`, stderr: "" });
		const list = documents<ServiceAccount>((await reelmill(environment, "service-accounts", "list", "--json")).stdout);
		expect(list.find(({ id }) => id === service_account.id)?.revoked_at).not.toBeNull();
	});
});

describe("stats", () => {
	it("tell what the instance holds", async () => {
		await service.tenant();
		expect((await reelmillJson<Stats>(environment, "stats")).domains).toBeGreaterThan(0);
		expect((await reelmill(environment, "stats")).stdout).toMatch(/^videos\.available +\d+$/m);
	});
});

describe("videos reprocess", () => {
	it("queues a failed video anew, and no other", async () => {
		const { auth } = await service.tenant();
		const { id, lock } = await claimed(service, auth);
		await service.engine.jobs.fail(id, { lock, reason: "storage_error", retryable: false });
		expect(await reelmill(environment, "videos", "reprocess", id)).toEqual({
			code: 0,
			stdout: `Video ${id} is queued.\n`,
			stderr: "",
		});
		const again = await reelmill(environment, "videos", "reprocess", id);
		expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("(invalid_state)") });
	});
});
