import type { Credential, Registry } from "../world/registry.ts";
import type { WrittenRequest } from "../world/resolve.ts";
import type { Sight } from "./leaks.ts";

/** Returns the token of a request, valid or not. */
export function tokenOf({ headers }: Pick<WrittenRequest, "headers">): string | null {
	const sent = headers["authorization"];
	return (typeof sent === "string" ? /^bearer +([^ ]+) *$/i.exec(sent)?.[1] : undefined) ?? null;
}

/** Returns the credential of a request; `none` also for one that was never given to anybody. */
export function credentialOf(request: Pick<WrittenRequest, "headers">, registry: Registry): Credential | null {
	const token = tokenOf(request);
	return (token !== null && registry.credentials.get(token)) || null;
}

/** Returns every credential that appears anywhere in the bytes. */
export const credentialsIn = (bytes: string, registry: Registry): Credential[] =>
	[...bytes.matchAll(/[A-Za-z0-9_.-]{20,}/g)]
		.map(([text]) => registry.credentials.get(text))
		.filter((one) => one !== undefined);

export function sightOf(credentials: readonly Credential[]): Sight {
	const sound = credentials.filter(({ isSound }) => isSound !== "no");
	const isAdmin = sound.some(({ plane }) => plane === "admin");
	return {
		owners: new Set(sound.map(({ owner }) => owner)),
		seesTexts: isAdmin,
		seesIds: isAdmin || sound.some(({ plane }) => plane === "service"),
	};
}
