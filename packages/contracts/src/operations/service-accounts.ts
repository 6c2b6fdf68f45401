import * as z from "zod";
import { defineOperation } from "../operation.ts";
import { pageQuery } from "../resources/common.ts";
import {
	CreatedServiceAccount,
	CreateServiceAccount,
	RotatedServiceAccount,
	ServiceAccountPage,
} from "../resources/service-account.ts";
import { idParams } from "./id-params.ts";

const params = idParams("service account");

export const createServiceAccount = defineOperation({
	method: "POST",
	path: "/admin/v1/service-accounts",
	plane: "admin",
	tag: "Admin",
	summary: "Create a service account for a worker",
	description: "Shows its secret this once.",
	auth: "admin",
	audit: "service_account.created",
	body: CreateServiceAccount,
	success: { status: 201, body: CreatedServiceAccount },
	errors: ["name_already_exists"],
});

export const listServiceAccounts = defineOperation({
	method: "GET",
	path: "/admin/v1/service-accounts",
	plane: "admin",
	tag: "Admin",
	summary: "List service accounts, newest first",
	auth: "admin",
	query: z.strictObject(pageQuery),
	success: { status: 200, body: ServiceAccountPage },
	errors: ["invalid_cursor"],
});

export const rotateServiceAccount = defineOperation({
	method: "POST",
	path: "/admin/v1/service-accounts/{id}/rotate",
	plane: "admin",
	tag: "Admin",
	summary: "Mint a new secret for a service account",
	description: "The old secret works for 1 hour more.",
	auth: "admin",
	audit: "service_account.secret_rotated",
	params,
	success: { status: 200, body: RotatedServiceAccount },
	errors: ["service_account_not_found", "service_account_revoked"],
});

export const revokeServiceAccount = defineOperation({
	method: "DELETE",
	path: "/admin/v1/service-accounts/{id}",
	plane: "admin",
	tag: "Admin",
	summary: "Revoke a service account",
	description: "Tokens already issued stop within 2 s.",
	auth: "admin",
	audit: "service_account.revoked",
	params,
	success: { status: 204, says: "The account is revoked." },
	errors: ["service_account_not_found"],
});
