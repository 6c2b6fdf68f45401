import * as z from "zod";
import { type ErrorCode, errors } from "../errors.ts";
import { errorCodes, errorExtras } from "../resources/error.ts";
import { errorExtrasExamples } from "./examples.ts";

/** A sentence about an error, for people: a component that every error has. */
export const ErrorMessage = z.string();

const extrasOf = (code: ErrorCode): z.ZodRawShape =>
	code in errorExtras ? errorExtras[code as keyof typeof errorExtras].shape : {};

/**
 * The schema of each code's body, under the code itself, so that a union of errors needs no mapping: the code, a
 * message, and the code's own fields.
 */
export const errorSchemas: Readonly<Record<string, z.ZodObject>> = Object.fromEntries(
	errorCodes.map((code) => [
		code,
		z
			.object({
				error: z.literal(code).meta({ description: "The code." }),
				message: ErrorMessage,
				...extrasOf(code),
			})
			.meta({ description: errors[code].message }),
	]),
);

/** An example of each code's own fields, by the code. */
export const errorExamples: Readonly<Record<string, object>> = Object.fromEntries(
	errorCodes.map((code) => [
		code,
		{
			error: code,
			message: errors[code].message,
			...(code in errorExtrasExamples ? errorExtrasExamples[code as keyof typeof errorExtrasExamples] : {}),
		},
	]),
);
