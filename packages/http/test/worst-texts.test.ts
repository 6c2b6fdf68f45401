import { ReelmillError } from "@reelmill/contracts";
import { type Engine, systemRandom } from "@reelmill/engine";
import type { Entry } from "yauzl";
import { megabyteOf, provesQuick } from "../../../scripts/test/worst-texts.ts";
import { createAuthenticate } from "../src/admission/authenticate.ts";
import { createCredentialsOf } from "../src/admission/credentials.ts";
import { createClientKeyOf } from "../src/client/client-address.ts";
import { parseDeliveryPath } from "../src/delivery/path.ts";
import { matchesNone, rangeStands } from "../src/headers/conditional.ts";
import { parseRange } from "../src/headers/range.ts";
import { checkEntry, createNameCheck } from "../src/internal/archive-names.ts";
import { isBinaryRoute } from "../src/internal-plane.ts";
import { planeNameOf } from "../src/plane-name.ts";
import { createRequestIdOf } from "../src/request-context.ts";
import { allowedOrigin } from "../src/upload/cors.ts";
import { checkProtocol } from "../src/upload/refusals.ts";

const unknown = async () => {
	throw new ReelmillError("unauthorized");
};
const { admin: authenticate } = createAuthenticate(
	{ keys: { authenticate: unknown } } as unknown as Engine,
	"the-key-of-the-admin",
);
const noSession = { session: null, isFromConsole: false, domainId: null };
const admin = (text: string) => authenticate({ authorization: text, ...noSession }, async () => undefined);
const credentialsOf = createCredentialsOf("https://video.example.com");
const cookie = (text: string) => credentialsOf({ authorization: null, header: () => text });
const name = "__Host-reelmill_session";
const clientKeyOf = createClientKeyOf(["10.0.0.0/8", "fd00::/8"]);
const client = (text: string) => clientKeyOf("10.0.0.1", text);
const etag = '"attempt-cGF0aA"';
const none = (text: string) => matchesNone(text, etag);
const video = "/videos/3f2c8a54-5a0e-4a5e-9d5c-0123456789ab/";
const offset = (text: string) =>
	checkProtocol(
		"PATCH",
		(name) => ({ "tus-resumable": "1.0.0", "content-type": "application/offset+octet-stream" })[name] ?? text,
	);

provesQuick([
	["the admin's key", "blanks", `Bearer a${megabyteOf(" ")}b`, admin],
	["the admin's key", "blanks before it", `Bearer ${megabyteOf(" ")}`, admin],
	["the admin's key", "one that is long", `Bearer ${megabyteOf("a")}`, admin],
	["Cookie", "separators", name + megabyteOf(";"), cookie],
	["Cookie", "blanks", `${name}${megabyteOf(" ")}=`, cookie],
	["Cookie", "blanks around a value", `${name}=${megabyteOf(" ")}x${megabyteOf(" ")}`, cookie],
	["Cookie", "equals signs", name + megabyteOf("="), cookie],
	["Cookie", "pairs of one name", megabyteOf(`${name}=\u00e9;`), cookie],
	["Cookie", "other names that hold the session's", megabyteOf(`a${name}=1;`), cookie],
	["Cookie", "broken escapes", `${name}=${megabyteOf("%")}`, cookie],
	["Cookie", "escapes that are no text", `${name}=${megabyteOf("%ff")}`, cookie],
	["Cookie", "quotes", `${name}=${megabyteOf('"')}`, cookie],
	["X-Forwarded-For", "trusted addresses", megabyteOf("10.0.0.1,"), client],
	["X-Forwarded-For", "trusted addresses of IPv6", megabyteOf("fd00::1,"), client],
	["X-Forwarded-For", "commas", megabyteOf(","), client],
	["X-Forwarded-For", "brackets", megabyteOf("["), client],
	["X-Forwarded-For", "digits", megabyteOf("1"), client],
	["X-Forwarded-For", "blanks", megabyteOf(" "), client],
	["If-None-Match", "tags", megabyteOf('"a",'), none],
	["If-None-Match", "empty tags", megabyteOf('""'), none],
	["If-None-Match", "weak tags", megabyteOf('W/"a"'), none],
	["If-None-Match", "a tag without an end", `"${megabyteOf("a")}`, none],
	["If-None-Match", "blanks", megabyteOf(" "), none],
	["If-Range", "blanks", megabyteOf(" "), (text) => rangeStands(text, etag)],
	["Range", "digits", `bytes=${megabyteOf("1")}`, (text) => parseRange(text, 100)],
	[
		"Range",
		"two numbers of digits",
		`bytes=${"1".repeat(524_288)}-${"1".repeat(524_288)}x`,
		(text) => parseRange(text, 100),
	],
	["Range", "blanks", `bytes=${megabyteOf(" ")}`, (text) => parseRange(text, 100)],
	["Range", "blanks behind it", `bytes=1-2${megabyteOf("\t")}x`, (text) => parseRange(text, 100)],
	["a path of the delivery plane", "slashes", video + megabyteOf("/"), parseDeliveryPath],
	["a path of the delivery plane", "parts", video + megabyteOf("a/"), parseDeliveryPath],
	["a path of the delivery plane", "escapes", video + megabyteOf("%41"), parseDeliveryPath],
	["a path of the delivery plane", "broken escapes", video + megabyteOf("%"), parseDeliveryPath],
	[
		"a path of the internal plane",
		"slashes",
		`/internal/v1/jobs/${megabyteOf("/")}`,
		(text) => isBinaryRoute("GET", text),
	],
	[
		"a path of the internal plane",
		"a long id",
		`/internal/v1/jobs/${megabyteOf("a")}/parts`,
		(text) => isBinaryRoute("GET", text),
	],
	["a path", "slashes", megabyteOf("/"), planeNameOf],
	["X-Request-Id", "letters", megabyteOf("a"), createRequestIdOf(systemRandom)],
	["Origin", "letters", megabyteOf("a"), (text) => allowedOrigin(["https://a.example"], text)],
	["Upload-Offset", "digits", megabyteOf("1"), offset],
	["an archive's name", "folders", megabyteOf("a/"), createNameCheck()],
	["an archive's name", "dots", megabyteOf("."), createNameCheck()],
	[
		"an archive's entry",
		"a long name",
		megabyteOf("a"),
		(fileName) => checkEntry({ fileName, isEncrypted: () => true } as Entry),
	],
]);
