import { useState } from "react";
import { useAction } from "../../api/api.tsx";
import { Button } from "../../components/button.tsx";
import { Confirm } from "../../components/confirm.tsx";

/** Queues a failed video again, for an operator. */
export function Reprocess({ id }: { id: string }) {
	const [isAsked, setIsAsked] = useState(false);
	const reprocess = useAction("reprocessVideo", { onSuccess: () => setIsAsked(false) });
	return (
		<>
			<Button kind="primary" onPress={() => setIsAsked(true)}>
				Reprocess
			</Button>
			<Confirm
				title="Process this video again?"
				verb="Reprocess the video"
				isOpen={isAsked}
				isPending={reprocess.isPending}
				error={reprocess.error}
				onConfirm={() => reprocess.mutate({ params: { id } })}
				onClose={() => setIsAsked(false)}
			>
				<p>
					It goes back to the queue like a new upload, and your webhook is told how it ends. The uploaded file is kept
					for some days after a failure. If it is gone already, you are told so here.
				</p>
			</Confirm>
		</>
	);
}
