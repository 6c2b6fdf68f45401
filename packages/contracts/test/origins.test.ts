import { canonicalOrigin, DomainConfigPatch, listsOrigin } from "@reelmill/contracts";
import { expect, it } from "vitest";

const taken = {
	"https://example.com": "https://example.com",
	"https://EXAMPLE.com:443": "https://example.com",
	"http://example.com:80": "http://example.com",
	"http://example.com:8080": "http://example.com:8080",
	"http://[::1]:5173": "http://[::1]:5173",
	"https://b\u00fccher.example": "https://xn--bcher-kva.example",
};
const refused = [
	"https://example.com/",
	"https://example.com/videos",
	"https://example.com?a",
	"https://example.com#a",
	"https://user@example.com",
	"https://*.example.com",
	"https://exam ple.com",
	"https://example.com:99999",
	"https://",
	"ftp://example.com",
	"example.com",
	"null",
	"*",
];

it("takes origins by scheme, host and port, and nothing else", () => {
	for (const [text, origin] of Object.entries(taken)) {
		expect(canonicalOrigin(text)).toBe(origin);
		expect(DomainConfigPatch.safeParse({ cors_origins: [text] }).success, text).toBe(true);
	}
	for (const text of refused) {
		expect(canonicalOrigin(text)).toBeNull();
		expect(DomainConfigPatch.safeParse({ cors_origins: [text] }).error?.issues[0]?.path, text).toEqual([
			"cors_origins",
			0,
		]);
	}
	expect(listsOrigin(["https://a.example", "https://Example.com:443"], "https://example.com")).toBe(true);
	expect(listsOrigin(["https://a.example/"], "https://a.example")).toBe(false);
});
