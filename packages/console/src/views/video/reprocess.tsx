import { useState } from "react";
import { useAction } from "../../api/api.tsx";
import { Button } from "../../components/button.tsx";
import { Confirm } from "../../components/confirm.tsx";

/** Queues a failed video anew, for an operator. */
export function Reprocess({ id }: { id: string }) {
	const [isAsked, setIsAsked] = useState(false);
	const reprocess = useAction("reprocessVideo", { onSuccess: () => setIsAsked(false) });
	return (
		<>
			<Button kind="primary" onPress={() => setIsAsked(true)}>
				Reprocess
			</Button>
			<Confirm
				title="Process this video anew?"
				verb="Reprocess the video"
				isOpen={isAsked}
				isPending={reprocess.isPending}
				error={reprocess.error}
				onConfirm={() => reprocess.mutate({ params: { id } })}
				onClose={() => setIsAsked(false)}
			>
				<p>
					It waits for a worker like a new upload, with all its attempts. The webhook is told how it ends. The upload is
					kept for some days after a failure; once it is gone, nothing changes and this says so.
				</p>
			</Confirm>
		</>
	);
}
