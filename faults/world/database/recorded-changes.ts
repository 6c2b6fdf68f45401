import type { PostgresDatabase } from "@reelmill/postgres";

/** A change of a video's state. `seq` counts the changes in the order in which they were made. */
export type Move = {
	readonly seq: number;
	readonly video: string;
	readonly from: string | null;
	readonly to: string;
	readonly at: number;
};
/** A lock that was given to a worker. */
export type Claim = {
	readonly seq: number;
	readonly video: string;
	readonly lock: string;
	readonly attempt: number;
	readonly at: number;
};
/** A chunk of a video that a worker had finished. */
export type FinishedChunk = { readonly video: string; readonly number: number; readonly at: number };
/**
 * A job that went back to the queue. `saidSo` means that a worker had reported its failure, so that it has to wait for
 * a while.
 */
export type GivenBack = {
	readonly video: string;
	readonly lock: string;
	readonly saidSo: boolean;
	readonly at: number;
};

/**
 * Triggers that record each change of state and each lock in the same transaction, so that nothing is recorded of a
 * transaction that was rolled back or lost.
 */
const script = `
	create schema faults;
	create table faults.moves (seq bigint generated always as identity primary key,
		video uuid not null, "from" text, "to" text not null,
		at timestamptz not null default clock_timestamp());
	create table faults.claims (seq bigint generated always as identity primary key,
		video uuid not null, lock uuid not null, attempt integer not null,
		at timestamptz not null default clock_timestamp());
	create function faults.note_move() returns trigger language plpgsql as $$
	begin
		insert into faults.moves (video, "from", "to")
			values (new.id, case when tg_op = 'UPDATE' then old.state end, new.state);
		return null;
	end $$;
	create trigger faults_created after insert on reelmill.videos for each row execute function faults.note_move();
	create trigger faults_moved after update of state on reelmill.videos for each row
		when (old.state is distinct from new.state) execute function faults.note_move();
	create function faults.note_claim() returns trigger language plpgsql as $$
	begin
		insert into faults.claims (video, lock, attempt) values (new.id, new.lock, new.attempt);
		return null;
	end $$;
	create table faults.chunks (video uuid not null, number integer not null,
		at timestamptz not null default clock_timestamp());
	create function faults.note_chunk() returns trigger language plpgsql as $$
	begin
		insert into faults.chunks (video, number) values (new.video_id, new.number);
		return null;
	end $$;
	create trigger faults_chunks after update of state on reelmill.chunks for each row
		when (new.state = 'done' and old.state <> 'done') execute function faults.note_chunk();
	create table faults.given_back (seq bigint generated always as identity primary key,
		video uuid not null, lock uuid not null, said_so boolean not null,
		at timestamptz not null default clock_timestamp());
	create function faults.note_given_back() returns trigger language plpgsql as $$
	begin
		insert into faults.given_back (video, lock, said_so)
			values (new.id, old.lock, coalesce(new.clip_not_before, new.not_before) > new.queued_at + interval '2 seconds');
		return null;
	end $$;
	create trigger faults_given_back after update of lock on reelmill.jobs for each row
		when (new.lock is null and old.lock is not null) execute function faults.note_given_back();
	create table faults.posters (video uuid not null, job uuid not null, lock uuid not null);
	create function faults.note_poster() returns trigger language plpgsql as $$
	begin
		insert into faults.posters (video, job, lock) values (new.video_id, new.id, new.lock);
		return null;
	end $$;
	create trigger faults_posters after update of lock on reelmill.posters for each row
		when (new.lock is not null and old.lock is distinct from new.lock) execute function faults.note_poster();
	-- Every tenant asks for updates from its first video on, and not from its first webhook on.
	update reelmill.domains set updates_url = config ->> 'webhook_url';
	create trigger faults_claimed after update of lock on reelmill.jobs for each row
		when (new.lock is not null and old.lock is distinct from new.lock) execute function faults.note_claim();`;

export async function recordChanges(database: PostgresDatabase): Promise<void> {
	await database.migrate([{ name: "faults", text: script }]);
}
