import type { Case } from "../case.ts";
import { addressCases } from "./addresses.ts";
import { deliveryCases } from "./deliveries.ts";
import type { WebhookTransportSubject } from "./subject.ts";

/** What every adapter of the WebhookTransport port keeps. */
export const webhookTransportCases: readonly Case<WebhookTransportSubject>[] = [...deliveryCases, ...addressCases];
