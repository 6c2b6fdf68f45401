import { defineOperation } from "../operation.ts";
import { CheckRequest, CheckStep } from "../resources/check.ts";
import { Stats } from "../resources/stats.ts";
import { AdminStorageLocationList } from "../resources/storage.ts";

export const listAdminStorageLocations = defineOperation({
	method: "GET",
	path: "/admin/v1/storage-locations",
	plane: "admin",
	tag: "Admin",
	summary: "List the platform's storage locations as configured",
	auth: "admin",
	success: { status: 200, body: AdminStorageLocationList },
	errors: [],
});

export const getStats = defineOperation({
	method: "GET",
	path: "/admin/v1/stats",
	plane: "admin",
	tag: "Admin",
	summary: "Read what the instance holds and does",
	auth: "admin",
	success: { status: 200, body: Stats },
	errors: [],
});

export const checkStorage = defineOperation({
	method: "POST",
	path: "/admin/v1/check",
	plane: "admin",
	tag: "Admin",
	summary: "Compare rows with storage, a step at a time",
	description:
		"Each step looks at a few hundred rows or objects for some seconds at most, and answers what differs. Call it with the `cursor` of the step before until that is null. What was written less than an hour ago, what is being worked on and what is noted to be deleted is left out. Nothing is changed unless the step is told to. With `deep`, outputs are read as well, and compared with the sums that are kept of them. It may be called while the cluster serves, and a cursor stays good.",
	auth: "admin",
	unaudited: "makes rows and storage agree again; what they say was decided before",
	body: CheckRequest,
	bodyOptional: true,
	success: { status: 200, body: CheckStep },
	errors: ["invalid_cursor"],
});
