import * as z from "zod";
import { IdText, idForm } from "../resources/common.ts";

/** Makes the schema of a path with the id of a thing. It takes any text: what no thing has is unknown. */
export const idParams = (thing: string) =>
	z.strictObject({
		id: IdText.meta({
			description: `The ${thing}'s id.`,
			examples: ["0d9b5c1a-3e2f-4a6b-9c8d-7e6f5a4b3c21"],
			...idForm,
		}),
	});
