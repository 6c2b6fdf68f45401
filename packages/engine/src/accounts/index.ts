export {
	type Accounts,
	createAccounts,
	type ServiceAccount,
	type ServiceClaims,
	type ServicePrincipal,
	serviceTokenSeconds,
} from "./accounts.ts";
