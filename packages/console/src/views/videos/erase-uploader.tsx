import { useState } from "react";
import { useAction } from "../../api/api.tsx";
import { Button } from "../../components/button.tsx";
import { Confirm } from "../../components/confirm.tsx";

/** Erases the person whose videos are listed: deletes them, and forgets the name in all that tells of them. */
export function EraseUploader({ uploader }: { uploader: string }) {
	const [isAsked, setAsked] = useState(false);
	const close = () => setAsked(false);
	const erase = useAction("createErasure", { changes: ["listVideos", "countVideos", "getUsage"], onSuccess: close });
	return (
		<>
			<Button kind="danger" onPress={() => setAsked(true)}>
				Erase this person
			</Button>
			<Confirm
				title={
					<>
						Erase <bdi>{uploader}</bdi>?
					</>
				}
				verb="Erase"
				typed={uploader}
				isOpen={isAsked}
				isPending={erase.isPending}
				error={erase.error}
				onConfirm={() => erase.mutate({ body: { uploader_ref: uploader } })}
				onClose={close}
			>
				<p>All videos of this uploader_ref are deleted, and what is in flight is cancelled.</p>
				<p>Videos that expired or were cancelled lose uploader_ref and external_ref. None of it can be brought back.</p>
			</Confirm>
		</>
	);
}
