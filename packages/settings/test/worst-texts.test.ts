import { megabyteOf, provesQuick } from "../../../scripts/test/worst-texts.ts";
import { address, integer } from "../src/values.ts";

provesQuick([
	["an address", "slashes", `https://a.example${megabyteOf("/")}b`, (text) => address.safeParse(text)],
	["an address", "slashes at the end", `https://a.example${megabyteOf("/")}`, (text) => address.safeParse(text)],
	["a number", "digits", megabyteOf("1"), (text) => integer(0, 10).safeParse(text)],
]);
