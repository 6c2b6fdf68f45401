import { createUpload, type UploadController } from "@reelmill/browser/upload";
import { useEffect, useRef, useState } from "react";
import { useApi, useInvalidate } from "../../api/api.tsx";
import { beginWork } from "../../unfinished/unfinished.ts";

/** Sends an outro's file by the browser SDK. Leaving the form gives it up. */
export function useOutroUpload(onSent: () => void, setSending: (isSending: boolean) => void) {
	const { call } = useApi();
	const invalidate = useInvalidate();
	const running = useRef<UploadController | null>(null);
	const [share, setShare] = useState(0);
	const [error, setError] = useState<unknown>(null);
	useEffect(() => () => void running.current?.cancel(), []);
	const send = async (file: File, slug: string, label: string) => {
		setError(null);
		setSending(true);
		setShare(0);
		const end = beginWork();
		const initiate = async () => {
			const body = { slug, content_type: file.type || "video/mp4", file_size: file.size };
			const { outro, upload } = await call("createOutro", { body: label === "" ? body : { ...body, label } });
			return { video: { id: outro.id }, upload };
		};
		const upload = createUpload({ file, initiate, storage: null });
		running.current = upload;
		const unsubscribe = upload.state.subscribe(() => setShare(upload.state.get().bytesSent / file.size));
		try {
			await upload.start();
			onSent();
		} catch (failure) {
			setError(failure);
		} finally {
			unsubscribe();
			end();
			setSending(false);
			await invalidate(["listOutros", "getUsage"]);
		}
	};
	return { send, share, error };
}
