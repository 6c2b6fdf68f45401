import type { Windows } from "../scale.ts";
import type { Surroundings } from "../surroundings.ts";

/** Returns the settings that all servers share. */
export const serverSettings = (
	{ disk, diskFaults, nameServer }: Surroundings,
	options: { readonly adminKey: string; readonly locations: string; readonly windows: Windows },
): Record<string, string> => ({
	REELMILL_DATA_DIR: disk.directory,
	REELMILL_BASE_URL: "http://127.0.0.1:1",
	REELMILL_EMBEDDED_WORKERS: "0",
	REELMILL_MASTER_KEY: "00".repeat(32),
	REELMILL_ADMIN_KEY: options.adminKey,
	REELMILL_CHECK_AGE_SECONDS: "1",
	REELMILL_STORAGE_LOCATIONS: options.locations,
	REELMILL_STORAGE_ALLOW_CIDRS: "127.0.0.0/8",
	REELMILL_WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
	REELMILL_IMPORT_ALLOW_CIDRS: "127.0.0.0/8",
	REELMILL_TRUSTED_PROXIES: "127.0.0.0/8",
	REELMILL_WEBHOOK_SCHEDULE_SECONDS: "0,1,1,2,2,3",
	REELMILL_LOCK_SECONDS: String(options.windows.lock),
	REELMILL_PENDING_UPLOAD_SECONDS: String(options.windows.pendingUpload),
	REELMILL_SWEEP_SECONDS: String(options.windows.sweep),
	FAULTS_NAMES: nameServer.address,
	...diskFaults?.environment,
});
