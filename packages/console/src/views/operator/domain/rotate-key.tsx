import type { CallResult } from "@reelmill/client";
import { useState } from "react";
import { useAction } from "../../../api/api.tsx";
import { Button } from "../../../components/button.tsx";
import { Choice } from "../../../components/choice.tsx";
import { Confirm } from "../../../components/confirm.tsx";
import { Panel } from "../../../components/panel.tsx";
import { Secret } from "../../../components/secret.tsx";
import { Time } from "../../../components/time.tsx";
import { sandboxSlug } from "./draft.ts";

const graces = [
	{ value: "3600", label: "keeps working for an hour" },
	{ value: "600", label: "keeps working for ten minutes" },
	{ value: "0", label: "stops at once: it has leaked" },
] as const;

/** The domain's key by its last characters, and a new one in its place, which is shown this once. */
export function RotateKey({ domain }: { domain: CallResult<"getAdminDomain"> }) {
	const { id, slug, key_last4: last4 } = domain;
	const [isAsking, setAsking] = useState(false);
	const [grace, setGrace] = useState<(typeof graces)[number]["value"]>("3600");
	const rotate = useAction("rotateDomainKeyAsAdmin", {
		changes: ["getAdminDomain", "listDomains", "listDomainKeys", "listAudit"],
		onSuccess: () => setAsking(false),
	});
	const isLast = grace === "0";
	// Visitors of the sandbox have keys of their own; one for all of them would show each what the others sent.
	if (slug === sandboxSlug) return null;
	return (
		<Panel
			title="Key"
			actions={<Button onPress={() => setAsking(true)}>{last4 === "" ? "Make a key" : "Rotate the key"}</Button>}
		>
			<p>
				{last4 === "" ? (
					"This domain has no key."
				) : (
					<>
						<code>...{last4}</code> <span className="muted">Only its last four characters are kept.</span>
					</>
				)}
			</p>
			<Confirm
				title={`Rotate the key of ${slug}?`}
				verb="Rotate the key"
				isOpen={isAsking}
				isPending={rotate.isPending}
				error={rotate.error}
				{...(isLast ? { typed: slug } : {})}
				onConfirm={() => rotate.mutate({ params: { id }, body: { grace_seconds: Number(grace) } })}
				onClose={() => {
					rotate.reset();
					setAsking(false);
				}}
			>
				<p>You see the new key once. Hand it to the tenant.</p>
				<Choice label="The current key" value={grace} onChange={setGrace} options={graces} />
				{isLast && <p>The tenant's back end is refused until it has the new key.</p>}
			</Confirm>
			<Secret title={`The new key of ${slug}`} secret={rotate.data?.api_key ?? null} onClose={() => rotate.reset()}>
				<p>
					The old key ends <Time at={rotate.data?.previous_key_expires_at} />.
				</p>
			</Secret>
		</Panel>
	);
}
