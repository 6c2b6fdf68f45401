import { authorise, type Decision } from "../authorise.ts";
import type { EdgeCache } from "../cache/cache.ts";
import { headersAsTheyCame, headersOfAnswer, headersOfFile } from "../headers/forwarded.ts";
import { digestOf } from "../knowledge/base64url.ts";
import { isSettled } from "../knowledge/domain-knowledge.ts";
import type { Follower, Knowledge } from "../knowledge/follow.ts";
import { targetAtService } from "../path.ts";
import type { EdgeRequest, Origin } from "../request.ts";
import { audienceOf } from "./file.ts";
import { type Audience, createFiles } from "./files.ts";
import { createBriefMemory, createMemory } from "./memory.ts";
import { answerAsEdge, answerWithFile, type Refusal, refuse, staleRefusal, unknownPath } from "./send.ts";

export type AnswersOptions = {
	readonly domains: readonly string[];
	readonly cache: EdgeCache;
	readonly whenStale: "ask" | "refuse";
	readonly origin: Origin;
	readonly monotonic: () => number;
	readonly now: () => number;
	readonly shared: boolean;
	readonly follower: Follower;
};

const preflightMilliseconds = 60_000;

/** Creates the function that answers viewers' requests. */
export function createAnswers(options: AnswersOptions): (request: EdgeRequest) => Promise<Response> {
	const { origin, monotonic, follower, whenStale } = options;
	const files = createFiles(options);
	const refusals = createBriefMemory<Refusal>(monotonic);
	/** Files that must not be kept now. Asking for more than the viewer wants would be in vain. */
	const unkept = createBriefMemory<true>(monotonic);
	/** Keys that the service has accepted since their viewer was revoked, each with the version of that revocation. */
	const accepted = createMemory<true>(5000);
	const digests = createMemory<string>(10_000);
	let preflight: { readonly answer: Refusal; readonly endsAt: number } | undefined;

	const digest = async (videoId: string): Promise<string> =>
		digests.get(videoId) ?? digests.set(videoId, await digestOf(videoId));
	const passOn = async ({ method, target, headers, clientAddress }: EdgeRequest): Promise<Response> => {
		const answer = await origin({ method, target, headers: headersAsTheyCame(headers, clientAddress) });
		return new Response(answer.body, { status: answer.status, headers: headersOfAnswer(answer.headers) });
	};

	/** A preflight is answered alike for every video and every origin. */
	async function answerPreflight(request: EdgeRequest): Promise<Response> {
		if (preflight !== undefined && preflight.endsAt > monotonic()) return refuse(preflight.answer, request);
		const answer = await passOn(request);
		if (answer.status === 204)
			preflight = {
				answer: { status: 204, headers: headersOfFile(answer.headers), body: new Uint8Array() },
				endsAt: monotonic() + preflightMilliseconds,
			};
		return answer;
	}

	/** Asks the service as the viewer did, and remembers a 401 for a moment. */
	async function passOnRemembering(request: EdgeRequest, key: string): Promise<Response> {
		const known = refusals.get(key);
		if (known !== undefined) return refuse(known, request);
		const answer = await passOn(request);
		if (answer.status !== 401 || request.method === "HEAD" || key.length > longestRefusalKey) return answer;
		const refusal = await refusalOf(answer);
		refusals.set(key, refusal);
		return refuse(refusal, request);
	}

	/** For a viewer without a key that the edge can vouch for: what is public, or what the service says. */
	async function answerOpen(
		request: EdgeRequest,
		{ videoId, path, key }: Extract<Decision, { kind: "open" | "stale" }>,
		knowledge: Knowledge,
	): Promise<Response> {
		if (key === "unknown") follower.missKey();
		const named = await digest(videoId);
		const place = placeOf(videoId, named, knowledge);
		const authorization = request.headers.get("authorization");
		const classOf = { none: "none", forged: "forged", unknown: `key ${authorization}` }[key];
		const refusalKey = `${place} ${classOf}`;
		const audience: Audience = { scope: null, path, digest: named, authorization: null };
		const kept = await files.find(audience, request, knowledge);
		if (kept?.isFresh) return answerWithFile(kept, request, files, () => passOn(request));
		// Who has no key asks for the same thing as the edge does to keep it. So the service is asked without any key.
		if (unkept.get(`${place} ${path}`)) return passOn(request);
		if (refusals.get(`${place} none`) === undefined) {
			const asked = await files.ask(audience, request, knowledge, kept);
			if (asked.kind === "file") return answerWithFile(asked, request, files, () => passOn(request));
			if (asked.kind === "other") {
				if (asked.isUnkept) unkept.set(`${place} ${path}`, true);
				return passOn(request);
			}
			const refusal = await refusalOf(asked.answer);
			if (refusal.status !== 401) return refuse(refusal, request);
			refusals.set(`${place} none`, refusal);
		}
		return passOnRemembering(request, refusalKey);
	}

	async function answerVerified(
		request: EdgeRequest,
		decision: Extract<Decision, { kind: "verified" }>,
		knowledge: Knowledge,
	): Promise<Response> {
		const { videoId, path, scope, domain, revoked } = decision;
		const known = knowledge.domains.get(domain);
		if (known === undefined) return passOn(request);
		const authorization = request.headers.get("authorization") as string;
		const named = await digest(videoId);
		const refusalKey = `${placeOf(videoId, named, knowledge)} key ${authorization}`;
		if (revoked !== null) {
			const acceptedKey = `${domain} ${revoked.version} ${authorization}`;
			if (accepted.get(acceptedKey) === undefined) {
				const settled = isSettled(known, "viewers", revoked.viewer, monotonic());
				const answer = await passOnRemembering(request, refusalKey);
				const isYes = answer.ok || answer.status === 304;
				if (settled && isYes && audienceOf(answer.headers) === "private") accepted.set(acceptedKey, true);
				return answer;
			}
		}
		const audience: Audience = { scope, path, digest: named, authorization };
		const kept = await files.find(audience, request, knowledge);
		if (kept?.isFresh) return answerWithFile(kept, request, files, () => passOn(request));
		const refusal = refusals.get(refusalKey);
		if (refusal !== undefined) return refuse(refusal, request);
		if (!isSettled(known, "videos", named, monotonic())) return passOnRemembering(request, refusalKey);
		const asked = await files.ask(audience, request, knowledge, kept);
		if (asked.kind === "file") return answerWithFile(asked, request, files, () => passOn(request));
		if (asked.kind === "other") return passOn(request);
		const said = await refusalOf(asked.answer);
		if (said.status === 401) refusals.set(refusalKey, said);
		return refuse(said, request);
	}

	return async (asked) => {
		const own = answerAsEdge(asked);
		if (own !== null) return own;
		const target = targetAtService(asked.target);
		if (target === null) return unknownPath(asked);
		const request = { ...asked, target };
		if (request.method === "OPTIONS") return answerPreflight(request);
		const knowledge = await follower.knowledge(request.later ?? ((work) => void work));
		const { method, headers } = request;
		const authorization = headers.get("authorization");
		const decision = await authorise({ method, target, authorization }, knowledge, monotonic());
		if (decision.kind === "pass") return passOn(request);
		if (decision.kind === "stale") return whenStale === "refuse" ? refuse(staleRefusal, request) : passOn(request);
		if ((headers.get("origin") ?? "").length > longestOrigin) return passOn(request);
		if (decision.kind === "verified") return answerVerified(request, decision, knowledge);
		return answerOpen(request, decision, knowledge);
	};
}

const longestOrigin = 300;
/** Of a genuine key there is room for all; longer ones would fill the memory. */
const longestRefusalKey = 5000;

/** A video in its state, whatever its domain is. */
const placeOf = (videoId: string, digest: string, { domains }: Knowledge): string =>
	`${videoId} ${[...domains.values()].map(({ feed }) => feed.videos.get(digest) ?? "").join(" ")}`;

async function refusalOf(answer: Response): Promise<Refusal> {
	const body = new Uint8Array(await answer.arrayBuffer());
	return { status: answer.status, headers: headersOfFile(answer.headers), body };
}
