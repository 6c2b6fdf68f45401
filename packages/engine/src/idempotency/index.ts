export {
	type CreationOptions,
	isKept,
	keptSince,
	keyOf,
	keyOfAnother,
	type Repeatable,
	repeatable,
} from "./repeatable.ts";
