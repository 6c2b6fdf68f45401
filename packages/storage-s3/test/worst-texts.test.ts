import { megabyteOf, provesQuick } from "../../../scripts/test/worst-texts.ts";
import { storageError } from "../src/client/errors.ts";
import { withoutQuotes } from "../src/client/object-requests.ts";
import { presetOf } from "../src/client/presets.ts";
import { idOfInfo, isKeyOf } from "../src/uploads/upload-keys.ts";

provesQuick([
	["a listed key", "digits", megabyteOf("a"), idOfInfo],
	["a listed key", "hyphens", megabyteOf("-"), (text) => isKeyOf("a", text)],
	["an entity tag", "quotes", megabyteOf('"'), withoutQuotes],
	["an endpoint", "names", `https://${megabyteOf("a.")}`, presetOf],
	["an endpoint", "hyphens", `https://s3.${megabyteOf("aa-")}1.amazonaws.com`, presetOf],
	["an endpoint", "words of a provider", `https://${megabyteOf("ceph-")}`, presetOf],
	["an endpoint", "digits behind a word", `https://ceph${megabyteOf("1")}x`, presetOf],
	["an error's code", "letters", megabyteOf("A"), (code) => storageError({ code })],
]);
