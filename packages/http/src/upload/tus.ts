import { Server } from "@tus/server";
import type { Locker } from "@tus/utils";
import { mediaTypeOf } from "../headers/media-type.ts";
import { refusalOf } from "./refusals.ts";
import type { EngineDataStore } from "./store.ts";

/** Headers that @tus/server is shown. Any other is none of its business: it answers 400 to some that proxies add. */
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
 * Runs one request through @tus/server and gives its answer's status and headers, or throws the error it met. It isn't
 * shown the body: the store reads that, and ends it in good order when the client goes away or another asks for the
 * lock. What came is kept.
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
