import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import express from "express";
import fastify, { type FastifyRequest } from "fastify";
import { type Context, Hono } from "hono";
import { uploadRoutes as onExpress } from "../../src/frameworks/express.ts";
import { uploadRoutes as onFastify } from "../../src/frameworks/fastify.ts";
import { uploadRoutes as onHono } from "../../src/frameworks/hono.ts";
import { uploadRoutes as onNext } from "../../src/frameworks/next.ts";
import { type Person, type Reelmill, type UploadRoutesOptions, uploadRoutes } from "../../src/index.ts";

export type Served = { url: string; close(): Promise<unknown> };
export type BackEnd = {
	reelmill: Reelmill;
	/** Says whose session the header `x-session` names. */
	person(session: string): Person | null;
};

const rest = ({ reelmill }: BackEnd) =>
	({
		reelmill,
		allowedOrigins: ["https://app.example.com"],
		describe: ({ about, file_name }) => {
			if (about === "not for you") return null;
			if (typeof about === "string") return { external_ref: about };
			return file_name ? { external_ref: file_name } : {};
		},
		mayPlay: ({ external_ref, uploader_ref }, { ref }) => external_ref !== "in review" && uploader_ref === ref,
	}) satisfies Partial<UploadRoutesOptions>;

const path = "/video";
const local = (port: number) => `http://127.0.0.1:${port}${path}`;

/** Serves a back end on each framework's own server, with its own way to tell who sends a request. */
export const backEnds: Record<string, (backEnd: BackEnd) => Promise<Served>> = {
	request: (backEnd) => {
		const answer = uploadRoutes({
			...rest(backEnd),
			authorize: ({ headers }) => backEnd.person(headers.get("x-session") ?? ""),
		});
		return fetchServed(answer);
	},
	next: (backEnd) => {
		const { POST, OPTIONS } = onNext({
			...rest(backEnd),
			authorize: async ({ headers }) => backEnd.person(headers.get("x-session") ?? ""),
		});
		return fetchServed((request) => (request.method === "OPTIONS" ? OPTIONS(request) : POST(request)));
	},
	hono(backEnd) {
		const app = new Hono<{ Variables: { person: Person | null } }>()
			.use(async (context, next) => {
				context.set("person", backEnd.person(context.req.header("x-session") ?? ""));
				await next();
			})
			.all(
				path,
				onHono({
					...rest(backEnd),
					authorize: (context: Context<{ Variables: { person: Person | null } }>) => context.get("person"),
				}),
			)
			.onError((error, context) => context.text(error.message, 500));
		return fetchServed(app.fetch);
	},
	express: (backEnd) => {
		const app = express();
		app.all(path, expressRoutes(backEnd));
		return expressServed(app);
	},
	"express after express.json()": (backEnd) => {
		const app = express();
		app.use(express.json());
		app.all(path, expressRoutes(backEnd));
		return expressServed(app);
	},
	async fastify(backEnd) {
		const app = fastify({ forceCloseConnections: true, bodyLimit: 66_000 });
		const authorize = ({ headers }: FastifyRequest) => backEnd.person(String(headers["x-session"]));
		app.route({
			method: ["POST", "OPTIONS"],
			url: path,
			handler: onFastify({ ...rest(backEnd), authorize }),
		});
		await app.listen({ port: 0, host: "127.0.0.1" });
		return { url: local((app.server.address() as AddressInfo).port), close: () => app.close() };
	},
};

const expressRoutes = (backEnd: BackEnd) =>
	onExpress({
		...rest(backEnd),
		authorize: (request: express.Request) => backEnd.person(request.get("x-session") ?? ""),
	});

/** Serves as a framework of Fetch does, which answers 500 if a handler rejects. */
async function fetchServed(answer: (request: Request) => Response | Promise<Response>): Promise<Served> {
	const server = serve({
		fetch: async (request) => {
			try {
				return await answer(request);
			} catch (error) {
				return new Response((error as Error).message, { status: 500 });
			}
		},
		port: 0,
		hostname: "127.0.0.1",
	});
	await once(server, "listening");
	return {
		url: local((server.address() as AddressInfo).port),
		close: () => new Promise((resolve) => server.close(resolve)),
	};
}

async function expressServed(app: express.Express): Promise<Served> {
	app.use(
		(
			error: Error & { status?: number },
			_request: express.Request,
			response: express.Response,
			_next: express.NextFunction,
		) => void response.status(error.status ?? 500).send(error.message),
	);
	const server = createServer(app).listen(0, "127.0.0.1");
	await once(server, "listening");
	return {
		url: local((server.address() as AddressInfo).port),
		close: () => new Promise((resolve) => server.close(resolve)),
	};
}
