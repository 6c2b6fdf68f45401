import { useState } from "react";
import { useAction } from "../../api/api.tsx";
import { Button } from "../../components/button.tsx";
import { Choice } from "../../components/choice.tsx";
import { Dialog, DialogActions } from "../../components/dialog.tsx";
import { Problem } from "../../components/problem.tsx";
import { Secret } from "../../components/secret.tsx";
import { Time } from "../../components/time.tsx";
import { useDomain } from "../../frame/domain-frame.tsx";

type RotateKeyProps = {
	isOpen: boolean;
	current: { readonly last4: string } | undefined;
	/** The key of a rotation before, which would end at once. */
	inGrace: { readonly last4: string } | undefined;
	onClose: () => void;
};

const graces = [
	{ value: "3600", label: "1 hour" },
	{ value: "900", label: "15 minutes" },
	{ value: "60", label: "1 minute" },
	{ value: "0", label: "no time: it has leaked" },
];

/** Asks for how long the old key still works, makes the new one, and shows it this once. */
export function RotateKey({ isOpen, current, inGrace, onClose }: RotateKeyProps) {
	const { slug } = useDomain();
	const [grace, setGrace] = useState("3600");
	const rotate = useAction("rotateDomainKey", { changes: ["listDomainKeys", "getDomain"], onClose });
	return (
		<>
			<Dialog title={`Rotate the key of ${slug}`} isOpen={isOpen} onClose={onClose}>
				<p>
					You get a new key, and see it once. {current && <code>…{current.last4}</code>} keeps working for as long as
					you choose, so you have time to deploy the new one.
				</p>
				<Choice label="The old key keeps working for" value={grace} onChange={setGrace} options={graces} />
				{grace === "0" && (
					<p>
						Requests that use {current && <code>…{current.last4}</code>} are refused within 2 seconds. Viewers keep
						watching: their playback keys stay valid.
					</p>
				)}
				{inGrace && (
					<p>
						<code>…{inGrace.last4}</code>, the key from before the last rotation, stops working at once.
					</p>
				)}
				<Problem error={rotate.error} />
				<DialogActions>
					<Button onPress={onClose}>Keep it as it is</Button>
					<Button
						kind={grace === "0" ? "danger" : "primary"}
						isPending={rotate.isPending}
						onPress={() => rotate.mutate({ body: { grace_seconds: Number(grace) } })}
					>
						Rotate the key
					</Button>
				</DialogActions>
			</Dialog>
			<Secret title={`The new key of ${slug}`} secret={rotate.data?.api_key ?? null} onClose={() => rotate.reset()}>
				<p>
					The old key ends <Time at={rotate.data?.previous_key_expires_at} />.
				</p>
			</Secret>
		</>
	);
}
