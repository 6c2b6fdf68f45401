-- Expand: the rows of the table before.
-- Compatible from 0027: it adds rows to a table that only counts.
-- From the migration before on, every change is counted. This adds what was there, in one statement that holds up nobody.
select reelmill.recount();
