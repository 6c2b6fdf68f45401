import type { Case } from "../case.ts";
import { addressCases } from "./addresses.ts";
import { deliveryCases } from "./deliveries.ts";
import type { WebhookTransportSubject } from "./subject.ts";

/** The promises of every adapter of the WebhookTransport port. */
export const webhookTransportCases: readonly Case<WebhookTransportSubject>[] = [...deliveryCases, ...addressCases];
