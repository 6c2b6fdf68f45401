import type { ApiOperation } from "../api/document.ts";
import { type Answer, codeOf } from "../send/answer.ts";
import type { Credential, Registry } from "../world/registry.ts";
import type { WrittenRequest } from "../world/resolve.ts";
import type { Finding } from "./finding.ts";
import { rules } from "./rules.ts";

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/**
 * For each plane of operations: which credentials open it, and how everything else is refused before anything of the
 * request is looked at.
 */
const doors: Readonly<
	Record<string, { readonly planes: readonly Credential["plane"][]; readonly refusals: readonly number[] }>
> = {
	tenant: { planes: ["tenant", "sandbox"], refusals: [401, 429] },
	service: { planes: ["service"], refusals: [401, 403, 429] },
	admin: { planes: ["admin"], refusals: [401, 404, 429] },
	upload: { planes: ["upload"], refusals: [401, 429] },
};

/**
 * Compares an answer with the rights of the one who asked: wrong credentials open nothing, and nobody finds what
 * belongs to another. A credential that may have ended meanwhile is not judged.
 */
export function accessFindings(
	[operation, ...others]: readonly ApiOperation[],
	sent: WrittenRequest,
	answer: Answer,
	credential: Credential | null,
	registry: Registry,
): Finding[] {
	if (operation === undefined || others.length > 0 || !isPlain(sent.path) || sent.method !== operation.method)
		return [];
	const { status } = answer;
	// A request whose Host is malformed is refused before it is looked at.
	const isMalformed = status === 417 || (status === 400 && sent.headers["host"] !== undefined);
	if (!answer.headers.has("x-request-id") || isMalformed) return [];
	const subject = `${operation.name}: ${status} ${codeOf(answer) ?? ""}`.trim();
	const who =
		credential === null
			? "no credential that was ever given"
			: `a credential for ${credential.plane} of ${credential.owner} (sound: ${credential.isSound})`;
	const door = doors[operation.auth];
	if (door !== undefined && sent.headers["cookie"] === undefined) {
		const isWrong = credential === null || credential.isSound === "no" || !door.planes.includes(credential.plane);
		if (isWrong && !door.refusals.includes(status)) return [{ rule: rules.opened, subject, detail: who }];
	}
	const foreign = [...sent.path.matchAll(uuid)]
		.map(([id]) => id)
		.find((id) => registry.ids.has(id) && registry.ids.get(id) !== credential?.owner);
	if (
		operation.auth === "tenant" &&
		foreign !== undefined &&
		credential !== null &&
		["tenant", "sandbox"].includes(credential.plane) &&
		!namedByCaller.includes(operation.name)
	) {
		const isHidden = [400, 401, 404, 408, 413, 429].includes(status) || codeOf(answer) === "sandbox_not_allowed";
		if (!isHidden)
			return [{ rule: rules.apart, subject, detail: `${foreign} of ${registry.ids.get(foreign)}, asked by ${who}` }];
	}
	if (operation.auth === "playback" && status < 400 && foreign !== undefined && registry.privates.has(foreign))
		return [{ rule: rules.apart, subject, detail: `a private file of ${foreign} for ${who}` }];
	return [];
}

/** Each tenant chooses the ids of its own listeners. */
const namedByCaller = ["listenToWebhooks"];
const isPlain = (path: string): boolean => /^(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+(?:\?.*)?$/s.test(path);
