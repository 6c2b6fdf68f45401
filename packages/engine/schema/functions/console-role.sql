-- The role that an account has now, given the addresses of the admins in lower case.
create or replace function reelmill.console_role(account reelmill.console_accounts, admins text[]) returns text language sql immutable as $$
	select case when account.issuer is null or (account.email_verified and not account.demoted and lower(account.email collate "C") = any(admins))
		then 'admin' else 'member' end;
$$;
