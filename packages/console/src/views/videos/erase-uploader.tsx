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
				<p>All videos of this uploader are deleted, and their running uploads are cancelled.</p>
				<p>
					Expired and cancelled videos lose their uploader, their name, their title and their values. This can't be
					undone.
				</p>
			</Confirm>
		</>
	);
}
