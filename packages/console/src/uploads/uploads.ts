import type { UploadController, UploadState } from "@reelmill/browser/upload";
import { type CallInput, contentTypeOf as typeByEnding } from "@reelmill/client";
import { useCallback, useSyncExternalStore } from "react";
import { useApi } from "../api/api.tsx";
import type { Caller } from "../api/client.ts";
import { useSession } from "../api/session.tsx";
import { createStore } from "../api/store.ts";
import { loadPart } from "../loading/load-part.ts";
import { beginWork } from "../unfinished/unfinished.ts";

/** What is said of a video when its upload begins, beside what the file tells. */
export type Wishes = Pick<CallInput<"createVideo">["body"], "external_ref" | "uploader_ref" | "visibility">;

/** An upload of this page. It goes on while the person looks at other views. */
export type Upload = {
	readonly key: string;
	readonly domainId: string | null;
	/** The account that began it: no other one of this tab sees it. */
	readonly owner: string;
	readonly file: File;
	/** What its video is called. */
	readonly name: string;
	readonly controller: UploadController;
};

type Part = typeof import("@reelmill/browser/upload");

const uploads = createStore<readonly Upload[]>([]);

/**
 * The account's uploads of this page into this domain, how to remove one, and how to begin some: `prepare` resolves to
 * what adds one at once. It rejects if the code of uploads can't be loaded, and waits while the server is away.
 */
export function useUploads() {
	const { call, domainId } = useApi();
	const owner = useSession().account.id;
	const all = uploads.use();
	const prepare = useCallback(async () => {
		const part = await loadPart(() => import("@reelmill/browser/upload"));
		return (file: File, wishes: Wishes) => void begin(part, call, { domainId, file, wishes, owner });
	}, [call, domainId, owner]);
	const remove = useCallback((key: string) => uploads.set(uploads.get().filter((upload) => upload.key !== key)), []);
	return { uploads: all.filter((upload) => upload.domainId === domainId && upload.owner === owner), prepare, remove };
}

/**
 * Begins an upload. What of it is kept across reloads is kept for this account and domain, so that the same file goes
 * on where it stopped.
 */
async function begin(
	{ createUpload, durationOf }: Part,
	call: Caller,
	{ domainId, file, wishes, owner }: { domainId: string | null; file: File; wishes: Wishes; owner: string },
): Promise<void> {
	const body = { ...wishes, content_type: contentTypeOf(file), file_size: file.size };
	const controller = createUpload({
		file,
		initiate: (_file, source) => call("createVideo", { body: { ...body, ...durationOf(source) } }),
		storageKey: `reelmill-console-upload:${owner}:${domainId}`,
	});
	const name = wishes.external_ref ?? file.name;
	uploads.set([{ key: crypto.randomUUID(), domainId, owner, file, name, controller }, ...uploads.get()]);
	let end: (() => void) | null = null;
	controller.state.subscribe(() => {
		const { status } = controller.state.get();
		if (status === "failed" || isOver({ status })) {
			end?.();
			end = null;
		} else end ??= beginWork();
	});
	// Its state tells how it ended.
	await controller.start().catch(() => undefined);
}

/** Returns the type that the browser tells, or that the ending means. The service refuses what is no video. */
const contentTypeOf = ({ name, type }: Pick<File, "name" | "type">): string =>
	type.startsWith("video/") ? type : (typeByEnding(name) ?? (type || "video/mp4"));

/** The state of an upload, live. */
export const useUploadState = ({ controller }: Upload): UploadState =>
	useSyncExternalStore(controller.state.subscribe, controller.state.get);

/** Whether an upload has anything left to do. */
export const isOver = ({ status }: Pick<UploadState, "status">): boolean =>
	status === "done" || status === "cancelled" || status === "expired";
