import { createUploader } from "@reelmill/browser/upload";
import { ReelmillError } from "@reelmill/client";

/** What pages of tests take of the SDK themselves, once they have added `/sdk.js`. */
const sdk = { createUploader, ReelmillError };
Object.assign(globalThis, { sdk });
export type PageSdk = typeof sdk;
