import { audienceOf } from "./answers/file.ts";
import { createMemory } from "./answers/memory.ts";
import { refuse } from "./answers/send.ts";
import { authorise } from "./authorise.ts";
import { assembleEdge, type Edge, type EdgeOptions } from "./edge.ts";
import { headersOfAnswer, headersToKeep } from "./headers/forwarded.ts";
import { digestOf, sha256 } from "./knowledge/base64url.ts";
import { isSettled, isTrusted, stateOf } from "./knowledge/domain-knowledge.ts";
import { targetAtService } from "./path.ts";
import type { EdgeRequest } from "./request.ts";

const scopeHeader = "reelmill-edge-scope";
const keepHeader = "reelmill-edge-keep";

/** Creates the edge of `createNodeAuthoriser`, whose requests come from a cache in front of it. */
export function createAuthoriser(options: EdgeOptions): Edge {
	const { handle, follower, origin, monotonic, domains } = assembleEdge(options);
	const ours = Promise.all(domains.map(digestOf)).then((digests) => new Set(digests));
	/** Keys that the service has accepted since their viewer was revoked, each with the version of that revocation. */
	const accepted = createMemory<true>(5000);
	/** Origins that the service allowed for a video. Any other one could have its files kept once more. */
	const allowed = createMemory<true>(10_000);

	/** Returns the scope of a request if its answer may be kept, otherwise what a yes of the service would teach. */
	async function judge(request: EdgeRequest): Promise<{ scope: string } | Lesson> {
		const { method, headers, later = (work) => void work } = request;
		const unkept = { revocation: null, pages: null };
		const target = targetAtService(request.target);
		if (target === null) return unkept;
		const knowledge = await follower.knowledge(later);
		const now = monotonic();
		const known = domains.flatMap((id) => knowledge.domains.get(id) ?? []);
		const authorization = headers.get("authorization");
		const decision = await authorise({ method, target, authorization }, knowledge, now);
		if (decision.kind === "pass" || decision.kind === "stale") return unkept;
		const digest = await digestOf(decision.videoId);
		// A public video may be of any of the domains, so nothing is kept unless all feeds are known.
		const isKnown = (one: (typeof known)[number]) => isTrusted(one, now) && isSettled(one, "videos", digest, now);
		if (known.length < domains.length || !known.every(isKnown)) return unkept;
		const sender = headers.get("origin");
		const pages = sender === null ? null : `${decision.videoId} ${sender}`;
		if (pages !== null && allowed.get(pages) === undefined) return { ...unkept, pages };
		const state = await sha256(known.map((one) => stateOf(one, digest)).join(" "));
		if (decision.kind !== "verified") {
			if (decision.key === "unknown") follower.missKey();
			return { scope: `public/${state}${decision.path}` };
		}
		const { domain, revoked } = decision;
		const mine = knowledge.domains.get(domain);
		const revocation = revoked === null ? null : `${domain} ${revoked.version} ${authorization}`;
		if (mine !== undefined && revoked !== null && revocation !== null && accepted.get(revocation) === undefined)
			return isSettled(mine, "viewers", revoked.viewer, now) ? { ...unkept, revocation } : unkept;
		return { scope: `domain/${decision.scope}/${state}${decision.path}` };
	}

	/** Asks the service for the whole file: without a key for what is kept as public, otherwise with the viewer's. */
	async function fetchToKeep(request: EdgeRequest, scope: string): Promise<Response> {
		const headers = headersToKeep(request.headers, request.clientAddress);
		const isPublic = !scope.startsWith("domain/");
		if (isPublic) headers.delete("authorization");
		const etag = request.headers.get("if-none-match");
		if (etag !== null) headers.set("if-none-match", etag);
		const target = targetAtService(request.target)?.split("?", 1)[0];
		if (target === undefined) return handle(request);
		const answer = await origin({ method: "GET", target, headers });
		const audience = audienceOf(answer.headers);
		const isOurs = (await ours).has(answer.headers.get("reelmill-domain") ?? "");
		const isFile = answer.status === 200 || answer.status === 304;
		const mayKeep = isFile && isOurs && audience !== null && (audience === "public" || !isPublic);
		const sent = headersOfAnswer(answer.headers);
		sent.set(keepHeader, mayKeep ? "yes" : answer.status === 401 ? "refusal" : "no");
		// An origin that a 304 doesn't allow any more would otherwise stay allowed in what is kept.
		if (answer.status === 304 && !sent.has(allowOrigin)) sent.set(allowOrigin, "");
		return new Response(answer.body, { status: answer.status, headers: sent });
	}

	return {
		async handle(request) {
			const asked = request.headers.get(scopeHeader);
			if (asked === "none") return handle(request);
			if (asked !== null) return fetchToKeep(request, asked);
			const judged = await judge(request);
			if ("scope" in judged)
				return refuse({ status: 204, headers: [[scopeHeader, judged.scope]], body: new Uint8Array() }, request);
			const answer = await handle(request);
			const { headers, status } = answer;
			const isYes = (answer.ok && status !== 204) || status === 304;
			const { revocation, pages } = judged;
			if (isYes && revocation !== null && audienceOf(headers) === "private") accepted.set(revocation, true);
			const allows = headers.get(allowOrigin) ?? "";
			if (isYes && pages !== null && ["*", request.headers.get("origin")].includes(allows)) allowed.set(pages, true);
			return answer;
		},
		poll: follower.poll,
	};
}

/** What to remember if the service says yes: that a revoked viewer's key is good, that pages of an origin may read. */
type Lesson = { readonly revocation: string | null; readonly pages: string | null };

const allowOrigin = "access-control-allow-origin";
