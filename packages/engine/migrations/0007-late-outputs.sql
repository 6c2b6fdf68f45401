-- Workers put outputs straight into buckets, by URLs that outlive a lost lock: what was deleted is deleted once more when nothing can come any more.
-- Null: at once.
alter table reelmill.deletions add column not_before timestamptz;
