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
	{ value: "0", label: "none: it has leaked" },
];

/** Asks for how long the old key still works, makes the new one, and shows it this once. */
export function RotateKey({ isOpen, current, inGrace, onClose }: RotateKeyProps) {
	const { slug } = useDomain();
	const [grace, setGrace] = useState("3600");
	const rotate = useAction("rotateDomainKey", { changes: ["listDomainKeys", "getDomain"], onSuccess: onClose });
	return (
		<>
			<Dialog title={`Rotate the key of ${slug}`} isOpen={isOpen} onClose={onClose}>
				<p>
					You get a new key, shown this once. {current && <code>…{current.last4}</code>} still works for the time that
					you choose, so that you can deploy the new one meanwhile.
				</p>
				<Choice label="The old key still works for" value={grace} onChange={setGrace} options={graces} />
				{grace === "0" && (
					<p>
						Everything that still sends {current && <code>…{current.last4}</code>} is refused within 2 s, until it has
						the new key. Playback keys that viewers hold go on.
					</p>
				)}
				{inGrace && (
					<p>
						<code>…{inGrace.last4}</code>, which is in its grace from the rotation before, ends at once.
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
					The key before it ends <Time at={rotate.data?.previous_key_expires_at} />.
				</p>
			</Secret>
		</>
	);
}
