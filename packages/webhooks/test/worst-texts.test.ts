import { verifySignature } from "@reelmill/webhooks";
import { megabyteOf, provesQuick } from "../../../scripts/test/worst-texts.ts";

const verify = (header: string) => verifySignature({ payload: "{}", header, secret: "whsec_test" });

provesQuick([
	["a signature header", "commas", megabyteOf(","), verify],
	["a signature header", "blanks", `a${megabyteOf(" ")}b`, verify],
	["a signature header", "signatures", `t=1,${megabyteOf("v1=a,")}`, verify],
	["a signature header", "timestamps", megabyteOf("t=1,"), verify],
	["a signature header", "digits", `t=${megabyteOf("1")},v1=a`, verify],
]);
