import fc from "fast-check";
import { oddAuthorizations } from "../../packages/http/test/support/odd-parts.ts";
import type { ApiOperation, Auth } from "../api/document.ts";

/** The credentials for each plane, as an Authorization header. */
const right: { readonly [A in Auth]: readonly (string | null)[] } = {
	none: [null],
	tenant: ["Bearer {{key#0}}"],
	service: ["Bearer {{service#0}}"],
	admin: ["Bearer {{admin#0}}"],
	console: [null, "Bearer {{admin#0}}"],
	upload: ["Bearer {{upload.token#p}}"],
	playback: ["Bearer {{playback#0}}", "Bearer {{playback#0}}", null],
};

/**
 * These operations end a domain's key or all of its playback keys, so they get the key of a domain that nothing else
 * needs.
 */
const ending = ["rotateDomainKey", "revokeAllPlaybackKeys", "rotateWebhookSecret", "updateDomainConfig"];

/** Generates a credential for the operation; null if it needs none. */
export function rightCredential(operation: ApiOperation): fc.Arbitrary<string | null> {
	if (ending.includes(operation.name)) return fc.constant("Bearer {{spare.key#p}}");
	if (operation.name === "createUpload") return fc.constant("Bearer {{new.token#p}}");
	const all = right[operation.auth];
	if (operation.auth !== "tenant" || !operation.sandbox) return fc.constantFrom(...all);
	return fc.oneof(
		{ weight: 5, arbitrary: fc.constantFrom(...all) },
		{ weight: 1, arbitrary: fc.constant("Bearer {{sandbox.key#p}}") },
	);
}

const everyKind = [
	"{{key#0}}",
	"{{sandbox.key#p}}",
	"{{service#0}}",
	"{{admin#0}}",
	"{{upload.token#0}}",
	"{{playback#0}}",
	"{{playback.narrow#0}}",
	"{{foreign.key#0}}",
	"{{foreign.playback#0}}",
	"{{foreign.upload.token#0}}",
	"{{ended.key#p}}",
	"{{ended.service#p}}",
	"{{ended.playback#p}}",
];
/** Changes to a credential's text. `cut`, `flip` and `upper` change the value that replaces the placeholder. */
const tampered = everyKind.flatMap((one) => [
	`${one}x`,
	one.replace("}}", "|cut}}"),
	one.replace("}}", "|flip}}"),
	one.replace("}}", "|upper}}"),
]);
const odd = [
	...oddAuthorizations,
	"Bearer {{key#0}}, Bearer {{foreign.key#0}}",
	"Bearer  {{key#0}}",
	"BEARER {{key#0}}",
	"{{key#0}}",
	"Basic {{key#0}}",
];

/** Generates a credential of another plane, of another tenant, an ended or a changed one, or none. */
export const wrongCredential: fc.Arbitrary<string | null> = fc.oneof(
	{ weight: 2, arbitrary: fc.constant(null) },
	{ weight: 4, arbitrary: fc.constantFrom(...everyKind.map((one) => `Bearer ${one}`)) },
	{ weight: 2, arbitrary: fc.constantFrom(...tampered.map((one) => `Bearer ${one}`)) },
	{ weight: 2, arbitrary: fc.constantFrom(...odd) },
);
