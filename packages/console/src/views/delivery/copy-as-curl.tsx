import type { WebhookDeliveryDetail } from "@reelmill/contracts";
import { useEffect, useState } from "react";
import { Button } from "../../components/button.tsx";
import { curlOf } from "./curl.ts";

/** Copies shell lines that send the delivery from the person's own machine. */
export function CopyAsCurl({ delivery }: { delivery: WebhookDeliveryDetail }) {
	const [copied, setCopied] = useState(false);
	useEffect(() => {
		if (!copied) return;
		const timer = setTimeout(() => setCopied(false), 2000);
		return () => clearTimeout(timer);
	}, [copied]);
	return (
		<Button
			onPress={() => {
				void navigator.clipboard.writeText(curlOf(delivery)).then(() => setCopied(true));
			}}
		>
			{copied ? "Copied" : "Copy as curl"}
		</Button>
	);
}
