import { defineOperation } from "../operation.ts";
import {
	StorageLocationList,
	StoragePlaceList,
	StorageProfile,
	StorageVerification,
	StorageView,
} from "../resources/storage.ts";

export const listStorageLocations = defineOperation({
	method: "GET",
	path: "/v1/storage/locations",
	plane: "tenant",
	tag: "Storage",
	summary: "List the platform's storage locations",
	description: "Choose one by its id with backend s3_platform.",
	auth: "tenant",
	sandbox: "refused",
	success: { status: 200, body: StorageLocationList },
	errors: [],
});

export const getStorage = defineOperation({
	method: "GET",
	path: "/v1/domain/storage",
	plane: "tenant",
	tag: "Storage",
	summary: "Read where new videos are stored",
	auth: "tenant",
	sandbox: "refused",
	success: { status: 200, body: StorageView },
	errors: [],
});

export const listStoragePlaces = defineOperation({
	method: "GET",
	path: "/v1/domain/storage/places",
	plane: "tenant",
	tag: "Storage",
	summary: "List where the domain's videos lie",
	description: "The current place first, then the others by when they were first chosen, the newest first.",
	auth: "tenant",
	sandbox: "refused",
	success: { status: 200, body: StoragePlaceList },
	errors: [],
});

export const putStorage = defineOperation({
	method: "PUT",
	path: "/v1/domain/storage",
	plane: "tenant",
	tag: "Storage",
	summary: "Choose where new videos are stored",
	description:
		"Verified before it is saved (write, read, presigned fetch, delete); on failure nothing changes, `step` names what failed, and `checks`, `provider_said` and `advice` say the rest. Existing videos never move. Another bucket, endpoint or region makes a new version; a new key for the same bucket rotates in place.",
	auth: "tenant",
	sandbox: "refused",
	audit: "storage.chosen",
	body: StorageProfile,
	success: { status: 200, body: StorageView },
	errors: ["storage_verification_failed", "storage_unavailable"],
});

export const deleteStorage = defineOperation({
	method: "DELETE",
	path: "/v1/domain/storage",
	plane: "tenant",
	tag: "Storage",
	summary: "Store new videos on local disk again",
	description: "Nothing is copied or deleted. Answers with the profile now in force.",
	auth: "tenant",
	sandbox: "refused",
	audit: "storage.reverted",
	success: { status: 200, body: StorageView },
	errors: [],
});

export const verifyStorage = defineOperation({
	method: "POST",
	path: "/v1/domain/storage/verify",
	plane: "tenant",
	tag: "Storage",
	summary: "Try a storage profile without saving it",
	description:
		"Runs the round trip with probe objects, asks for them without credentials as well, and persists nothing.",
	auth: "tenant",
	sandbox: "refused",
	unaudited: "tries a profile and keeps nothing of it",
	body: StorageProfile,
	success: { status: 200, body: StorageVerification },
	errors: ["storage_verification_failed", "storage_unavailable"],
});
