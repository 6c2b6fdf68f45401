import { useAction } from "../../api/api.tsx";
import { Confirm } from "../../components/confirm.tsx";

type EndKeyProps = { ending: { readonly id: string; readonly last4: string } | null; onClose: () => void };

/** Ends a key in its grace at once, once its last four characters are typed. */
export function EndKey({ ending, onClose }: EndKeyProps) {
	const end = useAction("endDomainKey", { changes: ["listDomainKeys"], onClose });
	const last4 = ending?.last4 ?? "";
	return (
		<Confirm
			title={`End …${last4} now?`}
			verb={`End …${last4}`}
			typed={last4}
			isOpen={ending !== null}
			isPending={end.isPending}
			error={end.error}
			onConfirm={() => ending && end.mutate({ params: { id: ending.id } })}
			onClose={onClose}
		>
			<p>
				Requests that still use this key are refused with <code>401 unauthorized</code> within 2 seconds. This can't be
				undone. The current key keeps working.
			</p>
		</Confirm>
	);
}
