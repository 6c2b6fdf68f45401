// An expression, because pages load it: it is shorter than a list.
const finalStates = /^(?:available|failed|timeout|expired|cancelled)$/;

/**
 * Returns whether a video or an outro in this state stays in it, so that waiting for it is of no use. A state that this
 * version does not know is not final: a later version of the service may move on from it. Neither is a missing one.
 * @example
 * ```ts
 * import { isFinalState } from "@reelmill/client";
 *
 * console.log(isFinalState("available"), isFinalState("encoding")); // => true false
 * ```
 */
export const isFinalState = (state: string | undefined): boolean => finalStates.test(`${state}`);
