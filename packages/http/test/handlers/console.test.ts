import { createEngine, createMemoryRateLimiter } from "@reelmill/engine";
import { createHandler } from "@reelmill/http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { nameOf } from "../support/contract.ts";
import { openService, type Service } from "../support/open-service.ts";
import { consoleOptions, consoleSecret } from "../support/sessions.ts";

let service: Service;
beforeAll(async () => {
	service = await openService({ trustedProxies: ["127.0.0.1"] }, ({ clock }) => ({
		...consoleOptions,
		rateLimiter: createMemoryRateLimiter({ clock }),
	}));
});
afterAll(() => service.close());

let addresses = 0;
const newAddress = () => `192.0.2.${++addresses}`;
const signIn = (body: object, address = newAddress(), headers: Record<string, string> = {}) =>
	service.send({
		method: "POST",
		path: "/console/v1/session",
		headers: { "x-service-console": "1", "x-forwarded-for": address, ...headers },
		json: body,
	});
const cookieOf = (setCookie: string | undefined) => setCookie?.split(";")[0] ?? "";

it("the session's cookie is out of reach of scripts and of other sites, and is taken back at the end", async () => {
	const signedIn = await signIn({ secret: consoleSecret });
	const [set] = signedIn.headers["set-cookie"] ?? [];
	expect(set).toMatch(/^reelmill_session=[^;]+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/);
	const cookie = cookieOf(set);
	const read = () => service.send({ path: "/console/v1/session", headers: { cookie } });
	expect(await read()).toMatchObject({ status: 200, json: signedIn.json });
	const headers = { cookie, "x-service-console": "1" };
	const out = await service.send({ method: "DELETE", path: "/console/v1/session", headers });
	expect([out.status, out.headers["set-cookie"]]).toEqual([
		204,
		["reelmill_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax"],
	]);
	expect((await read()).status).toBe(401);
});

it("over https the cookie belongs to the host alone and travels by TLS alone", async () => {
	const engine = createEngine({ ...service.engineOptions, baseUrl: "https://video.example" });
	const answer = await createHandler(engine)(
		new Request("https://video.example/console/v1/session", {
			method: "POST",
			headers: { "x-service-console": "1", "content-type": "application/json" },
			body: JSON.stringify({ secret: consoleSecret }),
		}),
	);
	expect(answer.headers.get("set-cookie")).toMatch(
		/^__Host-reelmill_session=[^;]+; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
	);
});

it("each sign-in has a session of its own, and ends the browser's one before it", async () => {
	const first = cookieOf((await signIn({ secret: consoleSecret })).headers["set-cookie"]?.[0]);
	const second = cookieOf(
		(await signIn({ secret: consoleSecret }, newAddress(), { cookie: first })).headers["set-cookie"]?.[0],
	);
	expect(second).not.toBe(first);
	const statusOf = async (cookie: string) =>
		(await service.send({ path: "/console/v1/session", headers: { cookie } })).status;
	expect([await statusOf(first), await statusOf(second)]).toEqual([401, 200]);
});

it("an address has ten sign-ins by the secret in ten minutes, and the right secret is refused beyond them too", async () => {
	const address = newAddress();
	for (let times = 0; times < 10; times++)
		expect(nameOf(await signIn({ secret: `wrong ${times}` }, address))).toBe("401 invalid_secret");
	expect(nameOf(await signIn({ secret: consoleSecret }, address))).toBe("429 rate_limited");
	expect((await signIn({ secret: consoleSecret })).status).toBe(200);
	await service.clock.advance(600_000);
	expect((await signIn({ secret: consoleSecret }, address)).status).toBe(200);
});
