import type { Domain } from "@reelmill/contracts";
import { useState } from "react";
import { useAction } from "../../api/api.tsx";
import { Button } from "../../components/button.tsx";
import { Confirm } from "../../components/confirm.tsx";
import { Panel } from "../../components/panel.tsx";
import { Problem } from "../../components/problem.tsx";
import { Secret } from "../../components/secret.tsx";
import { Time } from "../../components/time.tsx";
import { GraceLine } from "./grace-line.tsx";

/** The secret that deliveries are signed with: made, rotated, shown once, with its hour of grace. */
export function SigningSecret({ domain }: { domain: Domain }) {
	const [isAsking, setIsAsking] = useState(false);
	const [secret, setSecret] = useState<string | null>(null);
	const rotate = useAction("rotateWebhookSecret", {
		changes: ["getDomain"],
		onSuccess: ({ webhook_secret }) => {
			setSecret(webhook_secret);
			setIsAsking(false);
		},
	});
	const ends = domain.previous_webhook_secret_expires_at;
	const isSet = domain.webhook_secret_set;
	return (
		<Panel title="Signing secret">
			<div className="stack">
				<p>
					{isSet
						? "Every delivery is signed with it, so your back end can tell that it is genuine. It was shown once and can't be read again."
						: "There is none yet. Nothing is sent without an address and a secret."}
				</p>
				{ends !== null && <GraceLine ends={ends} />}
				{!isAsking && <Problem error={rotate.error} />}
				<div className="row">
					{isSet ? (
						<Button onPress={() => setIsAsking(true)}>Rotate secret</Button>
					) : (
						<Button isPending={rotate.isPending} onPress={() => rotate.mutate({})}>
							Make a secret
						</Button>
					)}
				</div>
			</div>
			<Confirm
				title="Rotate the signing secret?"
				verb="Rotate secret"
				isOpen={isAsking}
				isPending={rotate.isPending}
				error={rotate.error}
				onConfirm={() => rotate.mutate({})}
				onClose={() => {
					setIsAsking(false);
					rotate.reset();
				}}
			>
				<p>
					For one hour, every delivery carries two signatures: one by the new secret, one by this one. Give your back
					end the new secret within that hour.
				</p>
				{ends !== null && (
					<p>
						The secret from before the last rotation, which ends <Time at={ends} />, stops at once.
					</p>
				)}
			</Confirm>
			<Secret
				title="The new webhook secret"
				secret={secret}
				onClose={() => {
					setSecret(null);
					rotate.reset();
				}}
			>
				<p>
					Your back end checks the header <code>Service-Signature</code> with it. In the code on this page it is{" "}
					<code>REELMILL_WEBHOOK_SECRET</code>.
				</p>
			</Secret>
		</Panel>
	);
}
