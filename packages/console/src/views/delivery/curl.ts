import type { WebhookDeliveryDetail } from "@reelmill/contracts";

/** Quotes a text for a POSIX shell: nothing in it is expanded. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * Returns lines for a shell that send a delivery once more, from the person's machine. The signature is made again with
 * the secret in `REELMILL_WEBHOOK_SECRET`, because the log does not keep one that could be used again.
 */
export function curlOf({ id, url, body }: Pick<WebhookDeliveryDetail, "id" | "url" | "body">): string {
	return `BODY=${quote(body)}
AT=$(date +%s)
SIGNATURE=$(printf '%s.%s' "$AT" "$BODY" | openssl dgst -sha256 -hmac "$REELMILL_WEBHOOK_SECRET" | sed 's/^.*= *//')
curl -i -X POST ${quote(url)} \\
  -H 'Content-Type: application/json' \\
  -H ${quote(`Service-Delivery-Id: ${id}`)} \\
  -H "Service-Signature: t=$AT,v1=$SIGNATURE" \\
  --data-binary "$BODY"
`;
}
