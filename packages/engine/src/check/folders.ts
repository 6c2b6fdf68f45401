import type { SurveyedObject } from "../ports/index.ts";

/** Everything that is stored of one video, by path below its folder. */
export type Folder = {
	readonly domainId: string;
	readonly videoId: string;
	/** `domain/video`, without a slash at its end. */
	readonly name: string;
	readonly files: Map<string, SurveyedObject>;
	/** There is more than was read. Then nothing is reported of the folder. */
	tooMany: boolean;
};

const uuid = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const ofVideo = new RegExp(`^((${uuid})/(${uuid}))/(.+)$`);

/** Ids begin with 0 to f: after this no video's folder comes. */
const behindIds = "g";
const mostFiles = 20_000;
/** A part ends here once its folders are whole, or if only objects of others came. */
const partObjects = 3000;

export type Part = {
	/** The folders that were read to their end, in order. */
	readonly folders: readonly Folder[];
	/** Whether nothing comes after them. */
	readonly isEnd: boolean;
	/** The last key that was read. */
	readonly lastKey: string;
	readonly objects: number;
};

/** Returns the key after which the next folder begins. */
export const behindFolder = (name: string): string => (name === "" ? "" : `${name}0`);

/**
 * Reads whole folders of videos from a survey in order of keys: at least one, and as many as make a part. It skips
 * other objects.
 */
export async function readFolders(survey: AsyncIterable<SurveyedObject>, isOver: () => boolean): Promise<Part> {
	const folders: Folder[] = [];
	let present: Folder | undefined;
	let lastKey = "";
	let objects = 0;
	for await (const object of survey) {
		const [, name = "", domainId = "", videoId = "", path = ""] = ofVideo.exec(object.key) ?? [];
		if (present !== undefined && present.name !== name) {
			folders.push(present);
			present = undefined;
			if (objects >= partObjects || isOver()) return { folders, isEnd: false, lastKey, objects };
		}
		if (object.key >= behindIds) return { folders, isEnd: true, lastKey, objects };
		lastKey = object.key;
		objects++;
		if (name === "") {
			if (objects >= partObjects) return { folders, isEnd: false, lastKey, objects };
			continue;
		}
		present ??= { domainId, videoId, name, files: new Map(), tooMany: false };
		present.files.set(path, object);
		if (present.files.size > mostFiles) {
			present.tooMany = true;
			return { folders: [...folders, present], isEnd: false, lastKey, objects };
		}
	}
	return { folders: present === undefined ? folders : [...folders, present], isEnd: true, lastKey, objects };
}
