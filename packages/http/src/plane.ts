import type { Exchange } from "./node/exchange.ts";

/**
 * Answers an exchange, or throws before it has sent anything. Returns undefined, in place of a promise, if the whole
 * answer was handed over at once.
 */
export type Plane = (exchange: Exchange) => Promise<void> | undefined;
