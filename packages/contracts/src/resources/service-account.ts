import * as z from "zod";
import { Id, page, Timestamp } from "./common.ts";

/** A worker's account. */
export const ServiceAccount = z.object({
	id: Id,
	name: z.string().meta({ description: "The account's name." }),
	created_at: Timestamp,
	revoked_at: Timestamp.nullable().meta({ description: "When it was revoked; null if it wasn't." }),
});
export type ServiceAccount = z.infer<typeof ServiceAccount>;

/** The name of a new account for a worker. */
export const CreateServiceAccount = z.strictObject({
	name: z.string().min(1).max(255).meta({ description: "A name for the worker, 1 to 255 characters; nobody else's." }),
});
export type CreateServiceAccount = z.infer<typeof CreateServiceAccount>;

/** A new account with its secret: shown once. */
export const CreatedServiceAccount = z.object({
	service_account: ServiceAccount,
	secret: z.string().meta({ description: "Shown this once." }),
});
export type CreatedServiceAccount = z.infer<typeof CreatedServiceAccount>;

/** An account with its new secret: shown once. */
export const RotatedServiceAccount = z.object({
	...CreatedServiceAccount.shape,
	previous_secret_expires_at: Timestamp.meta({ description: "When the old secret stops working." }),
});
export type RotatedServiceAccount = z.infer<typeof RotatedServiceAccount>;

/** One page of service accounts, newest first. */
export const ServiceAccountPage = page(ServiceAccount);
