import { describe, expect, it } from "vitest";
import { createCredentialsOf } from "../../src/admission/credentials.ts";

const read = (baseUrl: string, headers: Record<string, string>) =>
	createCredentialsOf(baseUrl)({
		authorization: headers["authorization"] ?? null,
		header: (name) => headers[name] ?? null,
	});
const sessionIn = (baseUrl: string, cookie: string) => read(baseUrl, { cookie }).session;
const [secure, plain] = ["https://video.example", "http://127.0.0.1:8787"];

describe("the session of a request", () => {
	it("is in the cookie that only this host can have set, where the address is https", () => {
		expect(sessionIn(secure, "__Host-reelmill_session=ours")).toBe("ours");
		expect(sessionIn(secure, "reelmill_session=another host's; __Host-reelmill_session=ours")).toBe("ours");
		expect(sessionIn(secure, "reelmill_session=another host's")).toBeNull();
		expect(sessionIn(plain, "reelmill_session=ours")).toBe("ours");
		expect(sessionIn(plain, "__Host-reelmill_session=x")).toBeNull();
	});

	it("is none beside an Authorization header, or in a cookie longer than any that a server takes", () => {
		expect(read(plain, { cookie: "reelmill_session=ours", authorization: "" })).toEqual({
			authorization: "",
			session: null,
			isFromConsole: false,
			domainId: null,
		});
		expect(sessionIn(plain, `reelmill_session=ours; a=${"b".repeat(16_384)}`)).toBeNull();
	});

	it("comes with the domain that it selects, and with whether the console asks", () => {
		const headers = { cookie: "reelmill_session=ours", "x-service-domain": "d", "x-service-console": "" };
		expect(read(plain, headers)).toEqual({ authorization: null, session: "ours", isFromConsole: true, domainId: "d" });
	});
});
