import { createServer, type RequestListener } from "node:http";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { createHonoApp, guardServer } from "@reelmill/http";
import express from "express";
import fc from "fast-check";
import Fastify from "fastify";
import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isNormalPath } from "../src/node/normal-path.ts";
import { adminKey, listen, openService, type Service } from "./support/open-service.ts";
import { otherForms, type Spelling, spellings, textOf } from "./support/path-spellings.ts";
import { exchangeRaw } from "./support/raw.ts";
import { bearer, send } from "./support/send.ts";

const canonical: Spelling = { target: "/admin/v1/stats", headers: {} };
const closers: (() => unknown)[] = [];
let service: Service;
beforeAll(async () => {
	service = await openService();
});
afterAll(async () => {
	for (const close of closers) await close();
	await service.close();
});

async function ask(url: string, spelling: Spelling): Promise<{ status: number; error: unknown }> {
	const { status, body } = await exchangeRaw(url, textOf(spelling, new URL(url).host, bearer(adminKey)));
	return { status, error: body.startsWith("{") ? JSON.parse(body).error : undefined };
}

it("a path of the operators is answered in one spelling alone, and in no other", async () => {
	for (const form of [canonical, ...otherForms])
		expect([form, (await ask(service.url, form)).status]).toEqual([form, 200]);
	const answers = await Promise.all(
		spellings.map(async (spelling) => [spelling, await ask(service.url, spelling)] as const),
	);
	expect(answers).toEqual(
		spellings.map((spelling) => [
			spelling,
			{ status: spelling.error === "not_found" ? 404 : 400, error: spelling.error },
		]),
	);
});

it("what is normal stays as it is where a URL is made of it", () => {
	const characters = [...'/.%2eEfF;#\\:@a~<"|'];
	const path = fc.array(fc.constantFrom(...characters)).map((all) => `/${all.join("")}`);
	fc.assert(
		fc.property(path.filter(isNormalPath), (normal) => {
			const { pathname } = new URL(`http://a${normal}`);
			expect(pathname).toBe(normal.replaceAll(/["<]/g, encodeURIComponent));
		}),
		{ numRuns: 500 },
	);
});

type Closed = { readonly prefix: string; readonly isClosed: boolean };
/** The guide's ways to mount the listener at `prefix`; if it is closed, behind a rule that keeps the operators' planes. */
const mounts: Readonly<Record<string, (closed: Closed) => RequestListener | Promise<string>>> = {
	Express({ prefix, isClosed }) {
		const app = express().enable("case sensitive routing");
		if (isClosed)
			app.use([`${prefix}/admin`, `${prefix}/internal`], (_request, response) => void response.sendStatus(403));
		return prefix === "" ? app.use(service.listener) : app.use(prefix, service.listener);
	},
	async Fastify({ prefix, isClosed }) {
		const app = Fastify({ clientErrorHandler: () => undefined });
		guardServer(app.server, { logger: service.logger });
		for (const plane of isClosed ? ["admin", "internal"] : [])
			app.all(`${prefix}/${plane}/*`, (_request, reply) => reply.code(403).send());
		app.register(
			async (scope) => {
				scope.removeAllContentTypeParsers();
				scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
				scope.all("/*", ({ raw }, reply) => {
					reply.hijack();
					raw.url = raw.url?.replace(new RegExp(`^${prefix}(?=/)`), "");
					service.listener(raw, reply.raw);
				});
			},
			{ prefix },
		);
		closers.push(() => app.close());
		return app.listen({ port: 0, host: "127.0.0.1" });
	},
	Hono({ prefix, isClosed }) {
		const app = new Hono<{ Bindings: HttpBindings }>();
		if (isClosed)
			for (const plane of ["admin", "internal"])
				app.use(`${prefix}/${plane}/*`, async (context) => context.text("closed", 403));
		app.route(prefix || "/", createHonoApp(service.engine, service.options));
		return getRequestListener(app.fetch);
	},
};

async function mount(name: string, closed: Closed): Promise<string> {
	const mounted = await mounts[name]?.(closed);
	if (typeof mounted === "string") return mounted;
	const server = guardServer(createServer(mounted), { logger: service.logger });
	closers.push(() => server.close());
	return listen(server);
}

const below = (prefix: string, { target, headers }: Spelling): Spelling => ({
	headers,
	target: target.replace(/^(https?:\/\/other\.example)?(?=\/)/i, `$&${prefix}`),
});
/** The same for the prefix: what hides `admin` hides `video/admin`, and some that hide the prefix alone. */
const ofPrefix = (prefix: string): Spelling[] => [
	...[...spellings].map(({ target, headers }) => ({
		headers,
		target: target.replace(/(?<=[/\\])admin(?=[/\\]v1)/, `${prefix.slice(1)}/admin`),
	})),
	...["/%76ideo/admin/v1/stats", "/VIDEO/admin/v1/stats", "/videoadmin/v1/stats", "/video%2fadmin/v1/stats"].map(
		(target) => ({ target, headers: {} }),
	),
	...["/admin/v1/stats", "/videoadmin/v1/stats"].map((target) => ({ target, headers: { host: "1/video" } })),
];

describe.each(Object.keys(mounts))("inside %s", (name) => {
	it.each(["", "/video"])("and mounted at '%s', it keeps that one spelling", async (prefix) => {
		const url = await mount(name, { prefix, isClosed: false });
		expect((await ask(url, below(prefix, canonical))).status).toBe(200);
		expect((await send(url, { path: `${prefix}/v1/health` })).status).toBe(200);
		const all = prefix === "" ? spellings : [...spellings.map((one) => below(prefix, one)), ...ofPrefix(prefix)];
		for (const spelling of all)
			expect([spelling, await ask(url, spelling)]).toMatchObject([spelling, { status: expect.toBeOneOf([400, 404]) }]);
	});

	it.each(["", "/video"])("and mounted at '%s', a rule of the application closes the planes", async (prefix) => {
		const url = await mount(name, { prefix, isClosed: true });
		expect((await send(url, { path: `${prefix}/v1/health` })).status).toBe(200);
		for (const form of [canonical, ...otherForms].map((one) => below(prefix, one)))
			expect([form, (await ask(url, form)).status]).toEqual([form, expect.toBeOneOf([400, 403, 404])]);
	});
});
