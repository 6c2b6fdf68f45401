export { type ErrorCode, isReelmillError, ReelmillError } from "@reelmill/contracts/errors";
export type { CreatedVideo, Video, VideoState, Visibility } from "@reelmill/contracts/types";
export {
	type CallableName,
	type CallInput,
	type CallOptions,
	type CallResult,
	type Client,
	type ClientOptions,
	type Credential,
	createClient,
} from "./client.ts";
export { ConnectionError } from "./connection-error.ts";
export { contentTypeOf } from "./content-type.ts";
export { type ErrorAnswer, errorFromAnswer } from "./error-from-answer.ts";
export { type HeaderOf, type Obstacle, obstacleOf, type SentBody } from "./foreign-answer.ts";
export { isFinalState } from "./is-final-state.ts";
export type { Observers, ReceivedResponse, SentRequest } from "./observers.ts";
export { type RetryOptions, secondsUntilRetry } from "./retry-policy.ts";
