import { megabyteOf, provesQuick } from "../../../scripts/test/worst-texts.ts";
import { createAddressRules } from "../src/guard/address-rules.ts";
import { hasBlockedAddress } from "../src/guard/http-url.ts";
import { rangeOf } from "../src/imports/content-range.ts";
import { parseWebhookUrl } from "../src/webhooks/webhook-url.ts";

const rules = createAddressRules(["10.0.0.0/8"]);
const blocked = (text: string) => hasBlockedAddress(parseWebhookUrl(text) ?? new URL("http://a"), rules);

provesQuick([
	["an address", "colons", megabyteOf(":"), rules.allows],
	["an address", "percent signs", `::1${megabyteOf("%")}`, rules.allows],
	["a webhook's URL", "brackets", `http://${megabyteOf("[")}`, blocked],
	["a webhook's URL", "names", `http://${megabyteOf("a.")}`, blocked],
	["a Content-Range", "digits", `bytes ${megabyteOf("1")}`, rangeOf],
	["a Content-Range", "ranges", megabyteOf("bytes 1-1/"), rangeOf],
	["a webhook's URL", "slashes", `http://a${megabyteOf("/")}`, blocked],
]);
