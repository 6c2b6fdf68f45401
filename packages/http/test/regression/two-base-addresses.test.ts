import { createServer } from "node:http";
import { createHandler, createNodeListener, type HttpOptions } from "@reelmill/http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { initiate, listen, openService, type Service } from "../support/open-service.ts";
import { send } from "../support/send.ts";
import { tusFor } from "../support/tus.ts";

/** What the listener was once given beside the engine's own values, and answered with in places of its own. */
const others = { baseUrl: "https://other.example", version: "9.9.9" };

let service: Service;
beforeAll(async () => {
	service = await openService();
});
afterAll(() => service.close());

it("tells one address and one version everywhere: the engine's, whatever else the listener is given", async () => {
	// @ts-expect-error: the engine alone has them
	const options: HttpOptions = { ...service.options, baseUrl: others.baseUrl };
	const server = createServer(createNodeListener(service.engine, { ...options, ...others }));
	const url = await listen(server);
	const { auth } = await service.tenant();

	const created = await initiate({ ...service, send: (request) => send(url, request) }, auth);
	expect(created.upload.endpoint).toBe(`${service.url}/uploads`);
	const { headers } = await tusFor(url, created).create();
	expect(headers.location).toBe(`${service.url}/uploads/${created.video.id}`);
	expect((await send(url, { path: "/v1/openapi.json" })).json).toMatchObject({ servers: [{ url: service.url }] });
	expect((await send(url, { path: "/v1/health" })).json).toEqual({ status: "ok", version: "1.2.3" });
	server.close();

	const handle = createHandler(service.engine, { ...options, ...others });
	const document = await (await handle(new Request(`${url}/v1/openapi.json`))).json();
	expect(document).toMatchObject({ servers: [{ url: service.url }] });
});
