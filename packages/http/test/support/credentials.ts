import type { CreatedVideo, PlaybackKey, SandboxSession } from "@reelmill/contracts";
import type { RateLimiter } from "@reelmill/engine";
import { adminKey, initiate, type Service } from "./open-service.ts";
import { bearer } from "./send.ts";
import { signIn } from "./sessions.ts";

/** Every kind of credential that a request can come with. */
export const kinds = [
	"none",
	"garbage",
	"domain key",
	"another domain's key",
	"rotated-out key",
	"deleted domain's key",
	"sandbox key",
	"upload token",
	"playback key",
	"another domain's playback key",
	"service token",
	"expired service token",
	"revoked account's token",
	"admin key",
	"admin's session",
	"admin's session without x-service-console",
	"admin's session without a domain",
	"member's session",
	"member's session in another domain",
	"disabled account's session",
	"ended session",
] as const;
export type Kind = (typeof kinds)[number];
type Headers = Record<string, string>;

/** For tests that send more requests than the limits allow. */
export const unlimited: RateLimiter = { take: async () => ({ allowed: true }) };

/** Credentials that are over: made once, they stay so. Moves the clock on by two hours. */
export async function endedCredentials(service: Service) {
	const { engine, clock } = service;
	const rotated = await service.tenant();
	await engine.domains.rotateKey(rotated.domain.id);
	const deleted = await service.tenant();
	await engine.admin.deleteDomain(deleted.domain.id);
	const expired = await service.serviceAuth();
	await clock.advance(2 * 3_600_000);
	const { service_account, secret } = await engine.accounts.create({ name: "revoked" });
	const revoked = bearer((await engine.accounts.issueToken({ name: "revoked", secret })).token);
	await engine.accounts.revoke(service_account.id);
	const { domain } = await service.tenant();
	const over = async (end: (accountId: string) => Promise<unknown>) => {
		const { headers, accountId } = await signIn(service, { role: "member", domainIds: [domain.id] });
		await end(accountId);
		return { ...headers, ...inDomain(domain.id) };
	};
	return {
		"rotated-out key": rotated.auth,
		"deleted domain's key": deleted.auth,
		"expired service token": expired,
		"revoked account's token": revoked,
		"disabled account's session": await over((id) => engine.console.accounts.disable(id)),
		"ended session": await over((id) => engine.console.accounts.update(id, { domain_ids: [] })),
	};
}

/**
 * Two domains of their own with every credential that is in force. The upload token is for `upload`, which is pending,
 * and the playback key for the domain of `domain key`.
 */
export async function freshCredentials(service: Service): Promise<{
	headers: Omit<Record<Kind, Headers>, keyof Awaited<ReturnType<typeof endedCredentials>>>;
	upload: CreatedVideo;
}> {
	const [own, other] = [await service.tenant(), await service.tenant()];
	const upload = await initiate(service, own.auth);
	const { headers: admin } = await signIn(service, { role: "admin" });
	const { headers: member } = await signIn(service, { role: "member", domainIds: [own.domain.id] });
	const headers = {
		none: {},
		garbage: bearer("garbage"),
		"domain key": own.auth,
		"another domain's key": other.auth,
		"sandbox key": await sandboxAuth(service),
		"upload token": bearer(upload.upload.token),
		"playback key": await playbackAuth(service, own.auth),
		"another domain's playback key": await playbackAuth(service, other.auth),
		"service token": await service.serviceAuth(),
		"admin key": bearer(adminKey),
		"admin's session": { ...admin, ...inDomain(own.domain.id) },
		"admin's session without x-service-console": { cookie: admin.cookie, ...inDomain(own.domain.id) },
		"admin's session without a domain": admin,
		"member's session": { ...member, ...inDomain(own.domain.id) },
		"member's session in another domain": { ...member, ...inDomain(other.domain.id) },
	};
	return { headers, upload };
}

const inDomain = (id: string): Headers => ({ "x-service-domain": id });

/** The key of a new sandbox session. */
export async function sandboxAuth(service: Service): Promise<Headers> {
	const answer = await service.send({ method: "POST", path: "/v1/sandbox/session" });
	return bearer((answer.json as SandboxSession).api_key);
}

export async function playbackAuth(service: Service, auth: Headers): Promise<Headers> {
	const answer = await service.send({
		method: "POST",
		path: "/v1/playback-keys",
		headers: auth,
		json: { viewer_ref: "viewer" },
	});
	return bearer((answer.json as PlaybackKey).playback_key);
}
