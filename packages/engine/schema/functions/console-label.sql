-- The name of an account that may be trusted.
create or replace function reelmill.console_label(account reelmill.console_accounts) returns text language sql immutable as $$
	select coalesce(case when account.email_verified then account.email end, account.subject, 'operator');
$$;
