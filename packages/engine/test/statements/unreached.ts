/** A statement of the sources, by its file and, if the file has others, by a part of its text. */
export type Unreached = { readonly at: string; readonly sends?: string; readonly because: string };

/** The statements that no act sends. */
export const unreached: readonly Unreached[] = [
	{
		at: "accounts/accounts.ts",
		sends: "throw new ReelmillError(known",
		because: "it tells why a rotation was refused",
	},
	{ at: "check/", because: "what the check mends: it is run again, and finds what is left" },
	{ at: "installation/storage-binding.ts", because: "these servers have no mark of their storage" },
	{ at: "installation/other-servers.ts", because: "these servers have no mark of their storage" },
	{ at: "publications/publications.ts", sends: "noteDiscard(late", because: "a withdrawal has to meet a copy" },
	{ at: "secrets/master-keys.ts", sends: "select f, 0", because: "these servers have one master key" },
	{ at: "secrets/master-keys.ts", sends: "select fingerprint, used_at", because: "these servers have one master key" },
	{ at: "secrets/reseal-batch.ts", because: "these servers have one master key" },
	{ at: "system/database-clock.ts", because: "these servers are given a clock" },
	{ at: "system/traced-database.ts", because: "these servers record no traces" },
	{ at: "usage/quotas.ts", sends: "free_of_idle_upl", because: "it reads, for a request that a quota refuses" },
	{ at: "usage/quotas.ts", sends: "idempotency_keys", because: "it reads, for a request that a quota refuses" },
	{
		at: "webhooks/look-up.ts",
		sends: "statement(() =>",
		because: "the same statement again, for ids of other versions",
	},
];
