import type { Owner, Registry } from "../world/registry.ts";
import type { Finding } from "./finding.ts";
import { rules } from "./rules.ts";

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const canary = /canary-([a-z]+\d+)-[a-z]+/g;
const word = /[A-Za-z0-9_.-]{20,}/g;

/**
 * What the one who asked may see, as far as the request's credentials tell. `admin` sees the ids and texts of all, a
 * `service` account the ids.
 */
export type Sight = { readonly owners: ReadonlySet<Owner>; readonly seesIds: boolean; readonly seesTexts: boolean };

/**
 * Finds ids, planted texts and secrets in an answer that the one who asked may not see. What the request contained is
 * no leak. A secret that this very answer creates isn't known yet.
 */
export function leaksIn(
	answer: string,
	request: string,
	{ owners, seesIds, seesTexts }: Sight,
	registry: Registry,
): Finding[] {
	const findings: Finding[] = [];
	const add = (subject: string, text: string) => findings.push({ rule: rules.kept, subject, detail: text });
	if (!seesIds) {
		for (const [id] of answer.matchAll(uuid)) {
			const owner = registry.ids.get(id);
			if (owner !== undefined && !owners.has(owner) && !request.includes(id)) add("an id", `${id} of ${owner}`);
		}
	}
	if (!seesTexts) {
		for (const [text, owner = ""] of answer.matchAll(canary))
			if (!owners.has(owner) && !request.includes(text)) add("a planted text", text);
	}
	for (const [text] of answer.matchAll(word)) {
		const credential = registry.credentials.get(text);
		const isOthers = credential !== undefined && !owners.has(credential.owner);
		if ((registry.secrets.has(text) || isOthers) && !request.includes(text)) add("a secret", text);
	}
	return findings;
}
