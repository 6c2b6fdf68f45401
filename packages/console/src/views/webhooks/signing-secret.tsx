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
						? "Set. Each delivery is signed with it, so that your back end can tell ours from others'. It was shown once, and can't be read again."
						: "None yet. Nothing is sent until there is a secret and an address."}
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
					For one hour each delivery carries two signatures: the new secret's and this one's. Your back end goes on with
					this one meanwhile. Give it the new one within the hour.
				</p>
				{ends !== null && (
					<p>
						A rotation is under way: the secret before this one signs until <Time at={ends} />. It would end at once.
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
					Your back end checks the header <code>Service-Signature</code> with it: as{" "}
					<code>REELMILL_WEBHOOK_SECRET</code> in the snippet of this page.
				</p>
			</Secret>
		</Panel>
	);
}
