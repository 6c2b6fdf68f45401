const uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const info = new RegExp(`^(${uuid})\\.info$`);
const ofUpload = new RegExp(`^(${uuid})(?:\\.info|\\.${uuid}\\.part)?$`);

/**
 * The key of the object that says that an upload exists, and in which generation. The whole object lies under the id
 * alone.
 */
export const infoKey = (id: string): string => `${id}.info`;
/**
 * The key of the object that says how far an upload has come, and that holds the bytes that don't fill a part yet. The
 * key contains the generation, so that a late writer of a discarded upload doesn't change the new one.
 */
export const tailKey = (id: string, generation: string): string => `${id}.${generation}.part`;
/** Returns the upload's id if `key` is an info key, otherwise undefined. */
export const idOfInfo = (key: string): string | undefined => info.exec(key)?.[1];
/** Whether the key belongs to the upload, in any generation. */
export const isKeyOf = (id: string, key: string): boolean => ofUpload.exec(key)?.[1] === id;
