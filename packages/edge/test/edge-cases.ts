import { expect } from "vitest";
import type { Answer } from "../../http/test/support/send.ts";
import { comparable } from "./support/comparable.ts";
import type { Subject } from "./support/open-edge.ts";

/** What every adapter must do, as far as it can. `needs` names an ability that an adapter may lack. */
export type EdgeCase = {
	readonly name: string;
	readonly needs?:
		| "blocks"
		| "raw-requests"
		| "shared-work"
		| "lies"
		| "settling"
		| "domains-of-answers"
		| "own-416"
		| "second-try";
	run(subject: Subject): Promise<void>;
};

const web = (id: string) => `/videos/${id}/web.mp4`;
/** Where `public_base_url` leads. */
const copy = (id: string, file = "web.mp4", prefix = "") => `${prefix}/public/${id}/${crypto.randomUUID()}/${file}`;
const body = "0123456789";

async function answersAsTheService({ ask, askService }: Subject, target: string, asked = {}) {
	const [atEdge, atService] = [await ask(target, asked), await askService(target, asked)];
	expect(comparable(atEdge)).toEqual(comparable(atService));
	return atEdge;
}
/** The last part of these files: an edge may ask for more than there is. */
const withoutEnd = (taken: string) => taken.replace(/(bytes=2097152-).*/, "$1");
/** Brings a file into the cache. */
async function warm({ ask, service }: Subject, target: string, key?: string) {
	expect((await ask(target, key === undefined ? {} : { key })).status).toBe(200);
	service.taken();
}

const edgeCases: readonly EdgeCase[] = [
	{
		name: "gives a private file out of its cache to another viewer whose key is good, and asks the service once",
		async run(subject) {
			const { service, ask } = subject;
			const id = service.video();
			await warm(subject, web(id), await service.mint({ viewer: "one" }));
			const answer = await ask(web(id), { key: await service.mint({ viewer: "two" }) });
			expect(answer).toMatchObject({ status: 200, text: body, headers: { "cache-control": "private, no-cache" } });
			expect(service.taken()).toEqual([]);
		},
	},
	{
		name: "refuses everybody else a file that lies in its cache, exactly as the service does",
		async run(subject) {
			const { service } = subject;
			const id = service.video();
			const good = await service.mint();
			await warm(subject, web(id), good);
			const [head, claims, signature] = good.split(".") as [string, string, string];
			const other = JSON.parse(Buffer.from(claims, "base64url").toString());
			const changed = Buffer.from(JSON.stringify({ ...other, exp: other.exp + 1 })).toString("base64url");
			const none = Buffer.from(JSON.stringify({ alg: "none", typ: "JWT" })).toString("base64url");
			const asSecret = Buffer.from(
				JSON.stringify({ alg: "HS256", kid: JSON.parse(Buffer.from(head, "base64url").toString()).kid }),
			).toString("base64url");
			const wrong = {
				"an expired key": await service.mint({ ttl: -1 }),
				"a tampered key": `${head}.${changed}.${signature}`,
				"a key without a signature": `${none}.${claims}.`,
				"a key with another algorithm": `${asSecret}.${claims}.${signature}`,
				"a key of another family": await service.mint({ claims: { aud: "service-upload" } }),
				"a key of another domain": await service.mint({ domain: service.domains[1] as string }),
				"a key of a domain that is not there": await service.mint({ claims: { domain: crypto.randomUUID() } }),
				"a key for other videos": await service.mint({ videos: [crypto.randomUUID()] }),
				"a key of a sandbox session": await service.mint({ session: crypto.randomUUID() }),
				"no key at all": "garbage",
			};
			for (const [what, key] of Object.entries(wrong)) {
				const answer = await answersAsTheService(subject, web(id), { key });
				expect([what, answer.status, (answer.json as { error: string }).error]).toEqual([
					what,
					401,
					"playback_key_invalid",
				]);
			}
			const answer = await answersAsTheService(subject, web(id));
			expect(answer).toMatchObject({ status: 401, json: { error: "playback_key_required" } });
			for (const authorization of ["Basic YTpi", "Bearer", `Bearer ${good} x`, `Bearer ${good}, Bearer ${good}`])
				expect((await answersAsTheService(subject, web(id), { headers: { authorization } })).status).toBe(401);
		},
	},
	{
		name: "answers for an unknown video as for a private one, with and without a key",
		async run(subject) {
			const { service } = subject;
			const [known, unknown] = [service.video(), crypto.randomUUID()];
			await warm(subject, web(known), await service.mint());
			for (const asked of [{}, { key: "garbage" }, { key: await service.mint({ videos: [crypto.randomUUID()] }) }]) {
				const answers = [
					await answersAsTheService(subject, web(known), asked),
					await answersAsTheService(subject, web(unknown), asked),
				];
				expect(comparable(answers[0] as Answer)).toEqual(comparable(answers[1] as Answer));
			}
		},
	},
	{
		name: "keeps floods of wrong keys from the service",
		async run({ service, ask }) {
			const id = service.video();
			service.taken();
			for (let index = 0; index < 20; index++) expect((await ask(web(id), { key: `a.b.${index}` })).status).toBe(401);
			for (let index = 0; index < 20; index++) expect((await ask(web(id))).status).toBe(401);
			expect(service.taken().length).toBeLessThanOrEqual(4);
		},
	},
	{
		name: "gives a public file to anyone out of its cache, whatever key they send",
		async run(subject) {
			const { service, ask } = subject;
			const id = service.video({ visibility: "public" });
			await warm(subject, web(id));
			const keys = [undefined, "garbage", await service.mint(), await service.mint({ ttl: -1 })];
			// A cache may keep it once for all, and once for the keys of each domain.
			for (const key of [...keys, ...keys]) {
				const answer = await ask(web(id), key === undefined ? {} : { key });
				expect(answer).toMatchObject({
					status: 200,
					text: body,
					headers: { "cache-control": "public, max-age=86400" },
				});
			}
			expect(service.taken().length).toBeLessThanOrEqual(1);
		},
	},
	{
		name: "serves a public video at the addresses of its copies, and refuses it there within 5 s after its end",
		async run(subject) {
			const { service, ask, askService, pass } = subject;
			const [deleted, closed] = [service.video({ visibility: "public" }), service.video({ visibility: "public" })];
			const key = await service.mint();
			for (const id of [deleted, closed]) await warm(subject, copy(id));
			for (const prefix of ["", "/videos", "/a/b.c"])
				for (const asked of [{}, { key: "garbage" }, { method: "HEAD" }, { headers: { range: "bytes=2-4" } }])
					expect(comparable(await ask(copy(closed, "web.mp4", prefix), asked))).toEqual(
						comparable(await askService(web(closed), asked)),
					);
			service.taken();
			expect((await ask(copy(closed))).text).toBe(body);
			expect((await ask(`${copy(closed, "web.mp4", "/videos")}?a=1`)).text).toBe(body);
			expect(service.taken()).toEqual([]);
			expect((await ask(copy(closed, "none.mp4"))).status).toBe(404);
			expect((await ask(`${web(closed)}?of=${copy(closed, "none.mp4")}`)).text).toBe(body);
			await service.delete(deleted);
			await service.setVisibility(closed, "private");
			await pass(5);
			for (const id of [deleted, closed]) {
				expect(comparable(await ask(copy(id)))).toEqual(comparable(await askService(web(id))));
				expect(await ask(copy(id))).toMatchObject({ status: 401, json: { error: "playback_key_required" } });
			}
			expect(await ask(copy(closed), { key })).toMatchObject({ status: 200, text: body });
			service.taken();
			for (const path of [
				"",
				"/",
				"/public/",
				copy(closed, ""),
				copy(closed, "..%2fweb.mp4"),
				copy("x"),
				copy(closed).slice(7),
			])
				expect([path, (await ask(path)).status]).toEqual([path, 404]);
			expect(service.taken()).toEqual([]);
		},
	},
	{
		name: "says below a public_base_url that it is an edge",
		async run({ service, ask }) {
			service.taken();
			for (const path of ["/public/edge.txt", "/videos/public/edge.txt"])
				expect(await ask(path)).toMatchObject({
					status: 200,
					text: "reelmill-edge\n",
					headers: { "access-control-allow-origin": "*", "cache-control": "no-store" },
				});
			expect((await ask("/public/other.txt")).status).toBe(404);
			expect(service.taken()).toEqual([]);
		},
	},
	{
		name: "keeps nothing of a public video whose domain it doesn't follow",
		needs: "domains-of-answers",
		async run({ service, ask }) {
			const id = service.video({ visibility: "public", domain: service.domains[1] as string });
			for (let index = 0; index < 2; index++) expect((await ask(web(id))).text).toBe(body);
			await service.setVisibility(id, "private");
			expect((await ask(web(id))).status).toBe(401);
		},
	},
	{
		name: "stops all keys of a domain within 5 s after a revoke-all, and takes new ones",
		async run(subject) {
			const { service, ask, pass } = subject;
			const id = service.video();
			const key = await service.mint();
			await warm(subject, web(id), key);
			service.revokeAll();
			await pass(5);
			expect(await answersAsTheService(subject, web(id), { key })).toMatchObject({
				status: 401,
				json: { error: "playback_key_invalid" },
			});
			expect((await ask(web(id), { key: await service.mint() })).status).toBe(200);
		},
	},
	{
		name: "stops a viewer within 5 s after a revocation, and no other, and takes the viewer's later key",
		async run(subject) {
			const { service, ask, pass } = subject;
			const id = service.video();
			const [bad, other] = [await service.mint({ viewer: "bad" }), await service.mint({ viewer: "other" })];
			await warm(subject, web(id), bad);
			service.revoke("bad");
			await pass(5);
			expect(await answersAsTheService(subject, web(id), { key: bad })).toMatchObject({ status: 401 });
			service.taken();
			expect((await ask(web(id), { key: other })).status).toBe(200);
			expect(service.taken()).toEqual([]);
			const later = await service.mint({ viewer: "bad" });
			await pass(5);
			expect((await ask(web(id), { key: later })).status).toBe(200);
			service.taken();
			expect((await ask(web(id), { key: later })).text).toBe(body);
			expect(service.taken()).toEqual([]);
			expect((await ask(web(id), { key: bad })).status).toBe(401);
			service.revoke("bad");
			await pass(5);
			expect((await ask(web(id), { key: later })).status).toBe(401);
		},
	},
	{
		name: "keeps a key for some videos and the keys of a sandbox session to their own",
		async run(subject) {
			const { service, ask } = subject;
			const session = crypto.randomUUID();
			const [one, two, inside] = [service.video(), service.video(), service.video({ session })];
			for (const id of [one, two]) await warm(subject, web(id), await service.mint());
			await warm(subject, web(inside), await service.mint({ session }));
			const narrowed = await service.mint({ videos: [one] });
			expect((await ask(web(one), { key: narrowed })).status).toBe(200);
			expect((await ask(web(two), { key: narrowed })).status).toBe(401);
			expect((await ask(web(inside), { key: await service.mint({ session }) })).status).toBe(200);
			expect((await ask(web(inside), { key: await service.mint() })).status).toBe(401);
			expect((await ask(web(inside), { key: await service.mint({ session: crypto.randomUUID() }) })).status).toBe(401);
			expect((await ask(web(one), { key: await service.mint({ session }) })).status).toBe(401);
		},
	},
	{
		name: "forgets a video within 5 s after it was deleted or made private",
		async run(subject) {
			const { service, pass } = subject;
			const [deleted, closed] = [service.video(), service.video({ visibility: "public" })];
			const key = await service.mint();
			await warm(subject, web(deleted), key);
			await warm(subject, web(closed));
			await service.delete(deleted);
			await service.setVisibility(closed, "private");
			await pass(5);
			expect(await answersAsTheService(subject, web(deleted), { key })).toMatchObject({ status: 401 });
			expect(await answersAsTheService(subject, web(closed))).toMatchObject({
				status: 401,
				json: { error: "playback_key_required" },
			});
			expect(await answersAsTheService(subject, web(closed), { key })).toMatchObject({ status: 200, text: body });
			await service.setVisibility(closed, "public");
			await pass(5);
			expect(await answersAsTheService(subject, web(closed))).toMatchObject({ status: 200 });
		},
	},
	{
		name: "believes nothing that it kept once changes have left the feed early, and keeps anew",
		async run(subject) {
			const { service, ask, pass } = subject;
			const [deleted, other] = [service.video(), service.video()];
			const key = await service.mint();
			for (const id of [deleted, other]) await warm(subject, web(id), key);
			await service.delete(deleted);
			service.nextGeneration();
			await pass(5);
			expect(await answersAsTheService(subject, web(deleted), { key })).toMatchObject({ status: 401 });
			service.taken();
			expect((await ask(web(other), { key })).text).toBe(body);
			expect(service.taken()).not.toEqual([]);
			await pass(5);
			await warm(subject, web(other), key);
			expect((await ask(web(other), { key })).text).toBe(body);
			expect(service.taken()).toEqual([]);
		},
	},
	{
		name: "doesn't keep what a server says that is 2 s behind a change",
		needs: "settling",
		async run(subject) {
			const { service, ask, pass } = subject;
			const [id, other] = [service.video({ visibility: "public" }), service.video()];
			await warm(subject, web(id));
			service.lag(id, other);
			await service.setVisibility(id, "private");
			await pass(2);
			expect((await ask(web(id))).status).toBe(200);
			service.catchUp();
			await pass(2);
			expect((await ask(web(id))).status).toBe(401);
		},
	},
	{
		name: "asks the service about everything while no feed comes, and goes on when it comes again",
		needs: "lies",
		async run(subject) {
			const { service, ask, pass } = subject;
			for (const lie of ["down", "bad-signature", "other-domain", "other-body", "frozen"] as const) {
				const id = service.video();
				const key = await service.mint();
				await warm(subject, web(id), key);
				service.setLie(lie);
				service.revokeAll();
				await pass(5);
				expect([lie, (await ask(web(id), { key })).status]).toEqual([lie, 401]);
				const later = await service.mint();
				expect([lie, (await ask(web(id), { key: later })).text]).toEqual([lie, body]);
				service.taken();
				expect((await ask(web(id), { key: later })).text).toBe(body);
				expect([lie, service.taken()]).toEqual([lie, [`GET ${web(id)}`]]);
				service.setLie("none");
				await pass(8);
				await warm(subject, web(id), later);
				expect((await ask(web(id), { key: later })).text).toBe(body);
				expect([lie, service.taken()]).toEqual([lie, []]);
			}
		},
	},
	{
		name: "takes keys that are signed with a new key of the service",
		async run({ service, ask, pass }) {
			const id = service.video();
			const before = await service.mint();
			await service.rotate();
			const key = await service.mint();
			expect((await ask(web(id), { key })).status).toBe(200);
			await pass(6);
			expect((await ask(web(id), { key })).status).toBe(200);
			service.taken();
			for (const each of [key, before]) expect((await ask(web(id), { key: each })).text).toBe(body);
			expect(service.taken()).toEqual([]);
		},
	},
	{
		name: "ends a key by the service's time",
		async run(subject) {
			const { service, ask, pass } = subject;
			const id = service.video();
			const key = await service.mint({ ttl: 20 });
			await warm(subject, web(id), key);
			await pass(10);
			expect((await ask(web(id), { key })).status).toBe(200);
			await pass(12);
			expect((await ask(web(id), { key })).status).toBe(401);
		},
	},
	{
		name: "answers HEAD, ranges, If-None-Match and If-Range as the service does, cold and warm",
		async run(subject) {
			const { service } = subject;
			const large = Buffer.from(Array.from({ length: 3_000_000 }, (_, index) => index % 251));
			for (const visibility of ["private", "public"] as const) {
				const id = service.video({ visibility, files: { "media/h264_720.mp4": large } });
				const key = await service.mint();
				const path = `/videos/${id}/media/h264_720.mp4`;
				const { headers } = await subject.askService(path, { key, method: "HEAD" });
				const etag = headers.etag as string;
				for (const asked of [
					{ method: "HEAD" },
					{ headers: { range: "bytes=2000000-2200000" } },
					{ headers: { range: "bytes=0-0" } },
					{ headers: { range: "bytes=1048570-1048580" } },
					{ headers: { range: "bytes=2999999-" } },
					{ headers: { range: "bytes=-5" } },
					{ headers: { range: "bytes=5-9999999" } },
					{ headers: { range: "bytes=0-1,3-4" } },
					{ headers: { range: "lines=1-2" } },
					{ headers: { "if-none-match": etag } },
					{ headers: { "if-none-match": '"other"' } },
					{ headers: { "if-range": etag, range: "bytes=0-1" } },
					{ headers: { "if-range": '"other"', range: "bytes=0-1" } },
					{},
				])
					for (let round = 0; round < 2; round++) await answersAsTheService(subject, path, { key, ...asked });
			}
		},
	},
	{
		name: "answers a range outside the file as the service does",
		needs: "own-416",
		async run(subject) {
			const { service, ask } = subject;
			for (const visibility of ["private", "public"] as const)
				for (const range of ["bytes=10-", "bytes=1048576-"]) {
					const id = service.video({ visibility });
					const asked = visibility === "private" ? { key: await service.mint() } : {};
					const outside = { ...asked, headers: { range } };
					expect((await answersAsTheService(subject, web(id), outside)).status).toBe(416);
					await warm(subject, web(id), asked.key);
					expect((await ask(web(id), asked)).text).toBe(body);
					expect([visibility, range, service.taken()]).toEqual([visibility, range, []]);
					expect((await answersAsTheService(subject, web(id), outside)).status).toBe(416);
				}
		},
	},
	{
		name: "asks the service for parts of a large file once, whoever wants which range",
		needs: "blocks",
		async run({ service, ask }) {
			const large = Buffer.from(Array.from({ length: 3_000_000 }, (_, index) => index % 253));
			const id = service.video({ files: { "media/a.mp4": large } });
			const path = `/videos/${id}/media/a.mp4`;
			service.taken();
			const part = await ask(path, { key: await service.mint(), headers: { range: "bytes=1048000-1049000" } });
			expect(part.bytes.equals(large.subarray(1_048_000, 1_049_001))).toBe(true);
			expect(service.taken()).toEqual([`GET ${path} bytes=0-1048575`, `GET ${path} bytes=1048576-2097151`]);
			expect((await ask(path, { key: await service.mint() })).bytes.equals(large)).toBe(true);
			expect(service.taken().map(withoutEnd)).toEqual([`GET ${path} bytes=2097152-`]);
			expect((await ask(path, { key: await service.mint() })).bytes.equals(large)).toBe(true);
			expect(service.taken()).toEqual([]);
		},
	},
	{
		name: "gives a viewer the whole file when the service breaks off in the midst of it",
		needs: "second-try",
		async run({ service, ask }) {
			for (const visibility of ["private", "public"] as const) {
				const id = service.video({ visibility });
				const key = await service.mint();
				service.cutNext();
				expect(await ask(web(id), { key })).toMatchObject({ status: 200, text: body });
				expect((await ask(web(id), { key })).text).toBe(body);
				service.taken();
				expect((await ask(web(id), { key })).text).toBe(body);
				expect([visibility, service.taken()]).toEqual([visibility, []]);
			}
		},
	},
	{
		name: "asks the service once for what many viewers want at the same moment",
		needs: "shared-work",
		async run({ service, ask }) {
			const large = Buffer.from(Array.from({ length: 3_000_000 }, (_, index) => index % 253));
			const id = service.video({ files: { "media/a.mp4": large } });
			const path = `/videos/${id}/media/a.mp4`;
			const keys = await Promise.all(Array.from({ length: 5 }, () => service.mint()));
			service.taken();
			const answers = await Promise.all(keys.map((key) => ask(path, { key })));
			expect(answers.every(({ bytes }) => bytes.equals(large))).toBe(true);
			expect(service.taken().map(withoutEnd)).toEqual(
				["0-1048575", "1048576-2097151", "2097152-"].map((range) => `GET ${path} bytes=${range}`),
			);
		},
	},
	{
		name: "never joins parts of two files, when a file becomes another one",
		needs: "blocks",
		async run({ service, ask }) {
			const [before, after] = [Buffer.alloc(3_000_000, 1), Buffer.alloc(3_000_000, 2)];
			const id = service.video({ files: { "media/a.mp4": before } });
			const path = `/videos/${id}/media/a.mp4`;
			const key = await service.mint();
			await ask(path, { key, headers: { range: "bytes=0-1" } });
			service.replace(id, "media/a.mp4", after);
			const seen = await ask(path, { key }).catch(() => null);
			expect(seen === null || seen.bytes.equals(after)).toBe(true);
		},
	},
	{
		name: "passes every other spelling of a path to the service, and keeps nothing of it",
		needs: "raw-requests",
		async run(subject) {
			const { service, ask } = subject;
			const id = service.video({ visibility: "public" });
			const key = await service.mint();
			for (const path of [
				`/videos/${id}//web.mp4`,
				`/videos/${id}/./web.mp4`,
				`/videos/${id}/x/../web.mp4`,
				`/videos/${id}/%77eb.mp4`,
				`/videos/${id}/web.mp4/`,
				`/videos/${id}/web%2emp4`,
				`/videos/${id}/..%2fweb.mp4`,
				`/videos/${id.toUpperCase()}/web.mp4`,
				`/videos//${id}/web.mp4`,
				`/videos/${id}/`,
				`/videos/${id}/web.mp4;x`,
			])
				for (let round = 0; round < 2; round++) {
					service.taken();
					const atEdge = await ask(path, { key });
					expect(service.taken()).toEqual([`GET ${path}`]);
					expect(comparable(atEdge)).toEqual(comparable(await subject.askService(path, { key })));
				}
			expect((await ask(web(id))).text).toBe(body);
		},
	},
	{
		name: "takes the query for no part of the file, and other headers for nothing",
		async run(subject) {
			const { service, ask } = subject;
			const id = service.video();
			const key = await service.mint();
			await warm(subject, `${web(id)}?a=1`, key);
			const odd = {
				"x-forwarded-host": "evil.example",
				"x-original-url": "/admin",
				"x-http-method-override": "DELETE",
				cookie: "a=b",
				"accept-encoding": "gzip",
			};
			expect((await ask(`${web(id)}?b=2`, { key, headers: odd })).text).toBe(body);
			expect(service.taken()).toEqual([]);
			const other = service.video();
			service.log.length = 0;
			await ask(web(other), { key, headers: odd });
			const [seen] = service.log.filter(({ path }) => path === web(other));
			expect(Object.keys(odd).filter((name) => name !== "accept-encoding" && name in (seen?.headers ?? {}))).toEqual(
				[],
			);
		},
	},
	{
		name: "lets no viewer's cache keep what was never changed under the address of an edit, of which it may not have heard",
		async run({ service, ask }) {
			const id = service.video({ visibility: "public" });
			for (const _ of ["cold", "warm"])
				for (const [query, lasting] of Object.entries({
					"": "max-age=86400",
					"?a=1": "max-age=86400",
					"?v=2": "no-cache",
				}))
					expect((await ask(web(id) + query)).headers["cache-control"]).toBe(`public, ${lasting}`);
		},
	},
	{
		name: "lets the pages of each origin read what the service lets them read",
		async run(subject) {
			const { service } = subject;
			const allowed = "https://app.example.com";
			service.allowOrigins([allowed]);
			try {
				for (const visibility of ["private", "public"] as const) {
					const id = service.video({ visibility });
					const key = await service.mint();
					for (let round = 0; round < 2; round++)
						for (const headers of [{}, { origin: allowed }, { origin: "https://other.example" }])
							await answersAsTheService(subject, web(id), { key, headers });
				}
			} finally {
				service.allowOrigins([]);
			}
		},
	},
	{
		name: "answers preflights and other methods as the service does",
		async run(subject) {
			const { service } = subject;
			const id = service.video();
			const headers = { origin: "https://a.example", "access-control-request-method": "GET" };
			for (let round = 0; round < 2; round++)
				expect((await answersAsTheService(subject, web(id), { method: "OPTIONS", headers })).status).toBe(204);
			for (const method of ["POST", "PUT", "DELETE", "PATCH"])
				expect((await answersAsTheService(subject, web(id), { method })).status).toBe(404);
			expect((await answersAsTheService(subject, `/videos/${id}/none.mp4`, { key: await service.mint() })).status).toBe(
				404,
			);
		},
	},
	{
		name: "keeps no error",
		async run({ service, ask }) {
			const id = service.video();
			const key = await service.mint();
			const path = `/videos/${id}/late.mp4`;
			expect((await ask(path, { key })).status).toBe(404);
			service.replace(id, "late.mp4", Buffer.from("late"));
			expect((await ask(path, { key })).text).toBe("late");
		},
	},
];

/** The cases for an adapter that lacks some abilities, each with the reason. */
export const casesWithout = (lacks: Partial<Record<NonNullable<EdgeCase["needs"]>, string>>) =>
	edgeCases
		.filter(({ needs }) => needs === undefined || lacks[needs] === undefined)
		.map(({ name, run }) => ({ name, run }));
