type Forget = (accountId: string | null) => void;
const forgetters = new Set<Forget>();

/**
 * Has something forgotten that the page keeps for an account, beside what was read. It is called with the account that
 * the page is for from now on, perhaps the same; with null after signing out. A session that ended by itself calls
 * nothing: its account may come back.
 */
export const onAccount = (forget: Forget): void => void forgetters.add(forget);

/** Says which account the page is for; null if somebody signed out. */
export function setAccount(accountId: string | null): void {
	for (const forget of forgetters) forget(accountId);
}
