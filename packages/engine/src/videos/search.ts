import sql, { empty, join, type Sql } from "sql-template-tag";
import { isValued, selectValued, type Valued } from "./valued.ts";

/**
 * As many videos are sorted in a few milliseconds. Where more begin so, the list is read in its own order until a page is
 * full: that is soon, unless nearly all of them are old.
 */
const few = 5000;
/** An id is looked for from here on: fewer digits are those of too many videos of others. */
const idDigits = 8;

/** Names of files on a Mac spell an accented letter in two characters, and what is typed has one. */
const spellingsOf = (text: string): string[] => [...new Set([text, text.normalize("NFC"), text.normalize("NFD")])];

const beginsWith = (column: Sql, text: string): Sql => {
	const spelled = spellingsOf(text).map(
		(one) =>
			sql`(${column} is not null and lower(${column}) ~>=~ lower(${one}) and lower(${column}) ~<~ (lower(${one}) || chr(1114111)))`,
	);
	return sql`(${join(spelled, " or ")})`;
};

/** Returns the least and the largest id that begin with a text; `null` if it is too short, or no id begins so. */
function idsFrom(text: string): readonly [string, string] | null {
	const form = "00000000-0000-4000-8000-000000000000";
	const isBeginning =
		text.length >= idDigits &&
		text.length <= form.length &&
		[...text].every((letter, n) => (form[n] === "-" ? letter === "-" : /[0-9a-f]/i.test(letter)));
	if (!isBeginning) return null;
	const filled = (digit: string) => text.toLowerCase() + form.slice(text.length).replace(/[0-9]/g, digit);
	return [filled("0"), filled("f")];
}

type Asked = {
	readonly domainId: string;
	/** The value that a video must have besides; `null` for none. */
	readonly valued: Valued | null;
	/** The condition that every video of the list meets. */
	readonly all: Sql;
	/** The end of the statement. */
	readonly keyset: Sql;
};

/**
 * SQL: the page of those videos of a domain whose title, id, `external_ref` or `uploader_ref` begins with `text`, in any
 * case of letters, and however accents are spelled.
 */
export function selectFound(text: string, { domainId, valued, all, keyset }: Asked): Sql {
	const ids = idsFrom(text);
	const [byReference, byUploader] = [beginsWith(sql`external_ref`, text), beginsWith(sql`uploader_ref`, text)];
	const isTitled = beginsWith(sql`t.title`, text);
	const byId = ids === null ? empty : sql`id between ${ids[0]}::uuid and ${ids[1]}::uuid`;
	// Few titles are looked up together, many one by one: then a page is soon full.
	const byTitle = sql`case when (select count(*) from titled) <= ${few} then id in (select video_id from titled)
		else exists (select from reelmill.video_titles t where t.video_id = id and ${isTitled}) end`;
	// Other conditions come later: where few of many meet them, they would be looked for among all that begin so.
	const found = (condition: Sql) =>
		sql`(select id from reelmill.videos where domain_id = ${domainId} and deleted_at is null and ${condition} limit ${few + 1})`;
	const begins = sql`(${byReference} or ${byUploader} ${ids === null ? empty : sql`or ${byId}`} or ${byTitle})`;
	const areMany = sql`(select count(*) from found) > ${few}`;
	return sql`
		with titled as materialized (
			select t.video_id from reelmill.video_titles t where t.domain_id = ${domainId} and ${isTitled} limit ${few + 1}),
		found as materialized (
			${found(byReference)} union ${found(byUploader)} ${ids === null ? empty : sql`union ${found(byId)}`} union select video_id from titled)
		(select * from reelmill.videos where ${all} ${valued === null ? empty : sql`and ${isValued(valued)}`} and id in (select id from found) and not ${areMany} ${keyset})
		union all
		(${
			valued === null
				? sql`select * from reelmill.videos where ${all} and ${begins} and ${areMany} ${keyset}`
				: selectValued(valued, { all: sql`${all} and ${begins}`, keyset, guard: areMany })
		})`;
}
