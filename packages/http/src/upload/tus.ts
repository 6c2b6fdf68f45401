import { Server } from "@tus/server";
import type { Locker } from "@tus/utils";
import { mediaTypeOf } from "../headers/media-type.ts";
import { refusalOf } from "./refusals.ts";
import type { EngineDataStore } from "./store.ts";

/** The headers that @tus/server gets to see. It answers 400 to some others, which proxies add. */
const understood = [
	"tus-resumable",
	"upload-length",
	"upload-offset",
	"upload-metadata",
	"upload-defer-length",
	"content-type",
	"content-length",
];

export type TusRequest = {
	readonly method: string;
	readonly videoId: string;
	readonly header: (name: string) => string | undefined;
};

/**
 * Runs one request through @tus/server. Returns the status and headers of its answer, or throws its error. @tus/server
 * does not see the body: the store reads the body, and ends it in good order when the client leaves or another request
 * asks for the upload. What arrived is kept.
 */
export async function runTus(
	store: EngineDataStore,
	locker: Locker,
	baseUrl: string,
	{ method, videoId, header }: TusRequest,
): Promise<{ status: number; headers: Headers }> {
	let thrown: unknown;
	const server = new Server({
		path: "/uploads",
		datastore: store,
		locker,
		lockDrainTimeout: 1,
		namingFunction: () => videoId,
		generateUrl: (_, { id }) => `${baseUrl}/uploads/${id}`,
		onResponseError(_, error) {
			thrown = refusalOf(error);
			return undefined;
		},
	});
	const headers = new Headers();
	for (const name of understood) {
		const value = name === "content-type" ? mediaTypeOf(header(name)) : header(name);
		if (value !== undefined) headers.set(name, value);
	}
	const path = method === "POST" ? "/uploads" : `/uploads/${videoId}`;
	const answer = await server.handleWeb(new Request(`http://tus.invalid${path}`, { method, headers }));
	if (thrown !== undefined) throw thrown;
	if (answer.status >= 400) throw refusalOf({ status_code: answer.status, body: await answer.text() });
	return { status: answer.status, headers: answer.headers };
}
