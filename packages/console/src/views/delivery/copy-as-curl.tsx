import type { WebhookDeliveryDetail } from "@reelmill/contracts";
import { Button } from "../../components/button.tsx";
import { useCopy } from "../../components/copy.tsx";
import { curlOf } from "./curl.ts";

/** Copies shell lines that send the delivery from the person's own machine. */
export function CopyAsCurl({ delivery }: { delivery: WebhookDeliveryDetail }) {
	const { copied, copy } = useCopy(curlOf(delivery));
	return <Button onPress={copy}>{copied ? "Copied" : "Copy as curl"}</Button>;
}
