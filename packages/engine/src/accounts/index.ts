export { type Accounts, createAccounts, type ServiceAccount, type ServiceClaims, type ServicePrincipal } from "./accounts.ts";
