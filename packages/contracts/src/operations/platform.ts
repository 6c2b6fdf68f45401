import { defineOperation } from "../operation.ts";
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
