import type { Api, JsonOperationName, TextOperationName } from "./api.ts";
import type { CallInput, Output } from "./operation.ts";

export type { ErrorExtras, UploadEnd } from "./error-extras.ts";
export type * from "./resources/index.ts";

/**
 * What each operation takes from a caller and gives back, by its name, if that is JSON, a text or nothing.
 *
 * This entry is for what a page installs: as it is published, its types are written out, and need no zod.
 */
export type Calls = {
	[K in JsonOperationName | TextOperationName]: { input: CallInput<Api[K]>; result: Output<Api[K]> };
};
